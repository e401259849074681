// Oracle `factorization`: takes batches of matrices out of the values and puts each to its form's check.
// NaN and Inf in a result are wrong; an input that is not finite cannot be judged by its residuals.
#include "judge/factorization.h"

#include <fmt/core.h>

#include <array>

#include "judge/arguments.h"
#include "judge/explain.h"
#include "judge/oracles.h"

namespace kbx::judge {
namespace {

enum class Leaf : unsigned char { matrix, vector };
struct Form {
  const char* name;
  Checked (*check)(const Factors&);
  std::vector<std::vector<Leaf>> results;  // the accepted lists of results
};
const std::vector<Form>& forms() {
  constexpr Leaf M = Leaf::matrix, V = Leaf::vector;
  static const std::vector<Form> kForms{
      {"qr", check_qr, {{M, M}}},           {"lu", check_lu, {{M, M, M}, {M, V}}}, {"cholesky", check_cholesky, {{M}}},
      {"svd", check_svd, {{M, V, M}, {V}}}, {"eig", check_eig, {{V, M}, {V}}},     {"ldl", check_ldl, {{M, V}}},
      {"solve", check_solve, {{M}}},        {"inverse", check_inverse, {{M}}},     {"pinv", check_pinv, {{M}}},
  };
  return kForms;
}

// A tensor as a batch of matrices or vectors: number and size of one.
struct Stack {
  View view;
  Eigen::Index rows = 0, columns = 1;
  int64_t count = 0;

  Stack(const Tensor& tensor, Leaf leaf) : view(tensor) {
    const auto& s = view.shape();
    size_t own = leaf == Leaf::matrix ? 2 : 1;
    if (s.size() < own) return;
    rows = s[s.size() - own];
    if (leaf == Leaf::matrix) columns = s.back();
    count = 1;
    for (size_t k = 0; k + own < s.size(); k++) count *= s[k];
  }
  Matrix at(int64_t k) const {
    Matrix m(rows, columns);
    int64_t from = count == 1 ? 0 : k * rows * columns;
    for (Eigen::Index r = 0; r < rows; r++)
      for (Eigen::Index c = 0; c < columns; c++) m(r, c) = view.complex_at(from + r * columns + c);
    return m;
  }
};

std::vector<const Value*> leaves(const Value& value) {
  if (value.items.empty()) return {&value};
  std::vector<const Value*> out;
  for (const Value& item : value.items) out.push_back(&item);
  return out;
}

// The argument of a role; without roles "a" is the first tensor argument and "b" the second.
const Value* operand(const Evidence& e, const Oracle& o, const std::string& role) {
  if (auto it = o.roles.find(role); it != o.roles.end()) return argument(e.task, e.args, it->second);
  size_t skip = role == "a" ? 0 : 1;
  for (const Parameter& p : e.task.entry.parameters) {
    const Value* v = argument(e.task, e.args, p.name);
    if (v && v->kind == ValueKind::tensor && skip-- == 0) return v;
  }
  return nullptr;
}

bool flag(const Evidence& e, const Oracle& o, const char* name, bool otherwise) {
  auto it = o.roles.find(name);
  return flag_argument(e.task, e.args, it == o.roles.end() ? name : it->second).value_or(otherwise);
}

struct Question {
  const Form* form;
  std::vector<Stack> a, b, got, truth;  // a: one; b: none or one
};

Factors factors_at(const Question& q, int64_t k) {
  Factors f;
  f.a = q.a[0].at(k);
  if (!q.b.empty()) f.b = q.b[0].at(k);
  for (const Stack& s : q.got) f.got.push_back(s.at(k));
  for (const Stack& s : q.truth) f.truth.push_back(s.at(k));
  return f;
}

std::string first_not_finite(const Question& q, const std::string& path) {
  for (size_t r = 0; r < q.got.size(); r++)
    for (int64_t k = 0; k < q.got[r].view.count(); k++) {
      std::complex<double> z = q.got[r].view.complex_at(k);
      if (std::isfinite(z.real()) && std::isfinite(z.imag())) continue;
      std::string leaf = q.got.size() == 1 ? path : fmt::format("{}[{}]", path, r);
      return fmt::format("{} is {}", place_text(leaf, index_of(k, q.got[r].view.shape())),
                         element_text(q.got[r].view, k));
    }
  return "";
}

// Fills the question, or says why it cannot be asked.
std::string ask(const Evidence& e, const Oracle& o, Question& q) {
  for (const Form& form : forms())
    if (o.form == form.name) q.form = &form;
  if (!q.form) return fmt::format("there is no factorization form '{}'", o.form);
  const Value* a = operand(e, o, "a");
  if (!a || a->kind != ValueKind::tensor) return "the factorized matrix is not among the arguments";
  auto got = leaves(*e.got);
  const std::vector<Leaf>* kinds = nullptr;
  for (const auto& list : q.form->results)
    if (list.size() == got.size()) kinds = &list;
  if (!kinds) return fmt::format("{} results do not fit the form '{}'", got.size(), o.form);
  q.a.emplace_back(a->tensor, Leaf::matrix);
  bool vector_solution = false;
  if (o.form == "solve") {
    const Value* b = operand(e, o, "b");
    if (!b || b->kind != ValueKind::tensor) return "the right-hand side is not among the arguments";
    vector_solution = b->tensor.shape.size() + 1 == a->tensor.shape.size();
    q.b.emplace_back(b->tensor, vector_solution ? Leaf::vector : Leaf::matrix);
  }
  for (size_t k = 0; k < got.size(); k++)
    q.got.emplace_back(leaf_tensor(*got[k]), vector_solution ? Leaf::vector : (*kinds)[k]);
  auto truth = e.truth ? leaves(*e.truth) : std::vector<const Value*>{};
  for (size_t k = 0; truth.size() == got.size() && k < got.size(); k++)
    q.truth.emplace_back(leaf_tensor(*truth[k]), vector_solution ? Leaf::vector : (*kinds)[k]);
  for (const Stack& s : q.got)
    if (s.view.count() > 0 && s.count != q.a[0].count && q.a[0].count != 1)
      return "batch sizes of the matrix and its result differ";
  for (int64_t k = 0; k < q.a[0].view.count(); k++)
    if (!std::isfinite(std::abs(q.a[0].view.complex_at(k)))) return "the matrix holds NaN or Inf";
  return "";
}

// The result's own precision: that of its first floating leaf.
double result_epsilon(const Question& q) {
  for (const Stack& s : q.got)
    if (epsilon_of(s.view.dtype()) > 0) return epsilon_of(s.view.dtype());
  return 0;
}

void record(Judgement& j, const Broken& broken, int64_t k, int64_t batch) {
  j.verdict = Verdict::wrong_value;
  j.metric = broken.metric;
  j.got = broken.value;
  j.bound = broken.bound;
  j.explanation =
      fmt::format("{}: {}{}", j.path, broken.sentence, batch > 1 ? fmt::format(" (matrix {} of {})", k, batch) : "");
}

}  // namespace

Judgement judge_factorization(const Evidence& e, const Oracle& o) {
  Judgement j = begin(e, o, Profile::kbx);
  Question q{};
  if (std::string reason = ask(e, o, q); !reason.empty()) return not_judged(std::move(j), reason);
  int64_t batch = q.a[0].count;
  for (const Stack& s : q.got) {
    batch = std::max(batch, s.view.count() > 0 ? s.count : 0);
    j.metrics.count += s.view.count();
  }
  if (std::string text = first_not_finite(q, j.path); !text.empty()) {
    j.verdict = Verdict::wrong_value;
    j.metric = "nan";
    j.explanation = text + ": a factorization has finite numbers only";
    return j;
  }
  for (int64_t k = 0; k < batch; k++) {
    Factors f = factors_at(q, k);
    f.unit = o.c * double(std::max(f.a.rows(), f.a.cols())) * result_epsilon(q);
    f.upper = flag(e, o, "upper", false);
    f.left = flag(e, o, "left", true);
    f.pivot = flag(e, o, "pivot", true);
    f.hermitian = flag(e, o, "hermitian", false);
    f.real_spectrum = !is_complex(q.got[0].view.dtype());
    if (auto broken = q.form->check(f)) {
      record(j, *broken, k, batch);
      break;
    }
  }
  return j;
}

}  // namespace kbx::judge
