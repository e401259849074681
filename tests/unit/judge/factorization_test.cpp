// Oracle factorization: true factors in any sign or pivot choice pass, perturbed ones fail, in batches and precisions.
#include "judge/factorization.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "tensors.h"

namespace kbx::judge {
namespace {

using Real = Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Real random(int64_t rows, int64_t columns, uint32_t seed) {
  auto v = normals(size_t(rows * columns), seed);
  return Eigen::Map<RowMajor>(v.data(), rows, columns).cast<float>().cast<double>();
}
std::vector<double> flat(const Real& m) {
  RowMajor r = m;
  return {r.data(), r.data() + r.size()};
}
Value matrices(const std::vector<Real>& batch, bool batched) {
  std::vector<double> all;
  for (const Real& m : batch)
    for (double v : flat(m)) all.push_back(v);
  std::vector<int64_t> shape{batch[0].rows(), batch[0].cols()};
  if (batched) shape.insert(shape.begin(), int64_t(batch.size()));
  return value(Dtype::f32, shape, all);
}
Value matrix(const Real& m) { return matrices({m}, false); }
Value vector(const Real& m, Dtype dtype = Dtype::f32) { return value(dtype, {m.size()}, flat(m)); }

Asked asked(const std::string& form, Value a) {
  Asked q;
  q.oracle().kind = OracleKind::factorization;
  q.oracle().form = form;
  q.parameter("A", std::move(a));
  return q;
}
Judgement judged(Asked& q, std::vector<Value> results) {
  q.got = results.size() == 1 ? results[0] : tuple_of(std::move(results));
  q.eager = q.got;
  auto both = judge_result(q.evidence());
  EXPECT_EQ(both.size(), 1u);
  return both[0].kbx;
}
std::string metric(Asked& q, std::vector<Value> results) {
  Judgement j = judged(q, std::move(results));
  return j.verdict == Verdict::wrong_value ? j.metric : std::string(to_text(j.verdict));
}

TEST(Qr, SignsAreFreeWrongFactorsAreNot) {
  Real a = random(24, 10, 1);
  Eigen::HouseholderQR<Real> qr(a);
  Real q = qr.householderQ() * Real::Identity(24, 10),
       r = Real(qr.matrixQR().topRows(10).triangularView<Eigen::Upper>());
  Asked ask = asked("qr", matrix(a));
  EXPECT_EQ(metric(ask, {matrix(q), matrix(r)}), "correct");
  Real q2 = q, r2 = r;
  q2.col(3) *= -1, r2.row(3) *= -1;
  EXPECT_EQ(metric(ask, {matrix(q2), matrix(r2)}), "correct");
  r2.row(4) *= -1;
  EXPECT_EQ(metric(ask, {matrix(q2), matrix(r2)}), "reconstruction");
  Real dirty = r;
  dirty(5, 2) = 1e-6;
  EXPECT_EQ(metric(ask, {matrix(q), matrix(dirty)}), "triangle");
  EXPECT_EQ(metric(ask, {matrix(a.leftCols(10)), matrix(Real::Identity(10, 10))}), "orthogonality");  // A = A I
  Real off = r;
  off(2, 3) += 5e-3;
  EXPECT_EQ(metric(ask, {matrix(q), matrix(off)}), "reconstruction");
  off(2, 3) = kNan;
  EXPECT_EQ(metric(ask, {matrix(q), matrix(off)}), "nan");
}

TEST(Qr, CompleteAndROnlyModes) {
  Real a = random(12, 5, 2);
  Eigen::HouseholderQR<Real> qr(a);
  Real q = qr.householderQ(), r = Real(qr.matrixQR().triangularView<Eigen::Upper>());
  Asked ask = asked("qr", matrix(a));
  EXPECT_EQ(metric(ask, {matrix(q), matrix(r)}), "correct");
  EXPECT_EQ(metric(ask, {value(Dtype::f32, {0}, {}), matrix(r.topRows(5))}),
            "correct");  // what torch gives for mode "r"
  EXPECT_EQ(metric(ask, {value(Dtype::f32, {0, 0}, {}), matrix(r.topRows(5))}), "correct");
  EXPECT_EQ(metric(ask, {value(Dtype::f32, {0, 0}, {}), matrix(r.topRows(5) * 1.01)}), "reconstruction");
}

TEST(Qr, OneWrongMatrixOfABatchIsNamed) {
  std::vector<Real> as, qs, rs;
  for (uint32_t k = 0; k < 4; k++) {
    as.push_back(random(8, 8, 10 + k));
    Eigen::HouseholderQR<Real> qr(as.back());
    qs.push_back(qr.householderQ());
    rs.push_back(Real(qr.matrixQR().triangularView<Eigen::Upper>()));
  }
  Asked ask = asked("qr", matrices(as, true));
  EXPECT_EQ(metric(ask, {matrices(qs, true), matrices(rs, true)}), "correct");
  rs[2] *= 1.001;
  Judgement j = judged(ask, {matrices(qs, true), matrices(rs, true)});
  EXPECT_EQ(j.verdict, Verdict::wrong_value);
  EXPECT_NE(j.explanation.find("(matrix 2 of 4)"), std::string::npos) << j.explanation;
}

TEST(Qr, LargeMatricesAreProbedAndOneWrongElementIsSeen) {
  Real a = random(400, 300, 3);
  Eigen::HouseholderQR<Real> qr(a);
  Real q = qr.householderQ() * Real::Identity(400, 300),
       r = Real(qr.matrixQR().topRows(300).triangularView<Eigen::Upper>());
  Asked ask = asked("qr", matrix(a));
  EXPECT_EQ(metric(ask, {matrix(q), matrix(r)}), "correct");
  r(17, 222) += 1;
  EXPECT_EQ(metric(ask, {matrix(q), matrix(r)}), "reconstruction");
}

TEST(Lu, ThreeMatricesAndPacked) {
  Real a = random(12, 12, 4);
  Eigen::PartialPivLU<Real> lu(a);
  Real l = Real(lu.matrixLU().triangularView<Eigen::UnitLower>()),
       u = Real(lu.matrixLU().triangularView<Eigen::Upper>());
  Real p = Real(lu.permutationP().toDenseMatrix().cast<double>()).transpose();
  Asked ask = asked("lu", matrix(a));
  EXPECT_EQ(metric(ask, {matrix(p), matrix(l), matrix(u)}), "correct");
  EXPECT_EQ(metric(ask, {matrix(p.transpose()), matrix(l), matrix(u)}), "reconstruction");
  EXPECT_EQ(metric(ask, {matrix(0.5 * p), matrix(l), matrix(u)}), "permutation");
  EXPECT_EQ(metric(ask, {matrix(p), matrix(2 * l), matrix(0.5 * u)}), "unit_diagonal");
  EXPECT_EQ(metric(ask, {matrix(p), matrix(u), matrix(l)}), "triangle");
}

TEST(Lu, PackedInterchangesAreOneBased) {
  Real a(3, 3);
  a << 1, 2, 3, 4, 5, 6, 7, 8, 10;
  // Partial pivoting by hand: rows 0 and 2 swap; then |1/7*8 ...|: candidates 2 - 8/7 = 6/7 (row 2) and 5 - 32/7 = 3/7
  // (row 1): swap.
  Real packed(3, 3);
  packed << 7, 8, 10, 1.0 / 7, 6.0 / 7, 11.0 / 7, 4.0 / 7, 0.5, -0.5;
  Asked ask = asked("lu", matrix(a));
  EXPECT_EQ(metric(ask, {matrix(packed), value(Dtype::i32, {3}, {3, 3, 3})}), "correct");
  EXPECT_EQ(metric(ask, {matrix(packed), value(Dtype::i32, {3}, {1, 2, 3})}), "reconstruction");
  EXPECT_EQ(metric(ask, {matrix(packed), value(Dtype::i32, {3}, {2, 2, 2})}), "pivots");
}

TEST(Lu, WithoutPivotingLargeMultipliersAreAllowedOnlyWhereAskedFor) {
  Real a(2, 2), l(2, 2), u(2, 2);
  a << 0.5, 1, 2, 1;
  l << 1, 0, 4, 1;
  u << 0.5, 1, 0, -3;
  Asked ask = asked("lu", matrix(a));
  EXPECT_EQ(metric(ask, {matrix(Real::Identity(2, 2)), matrix(l), matrix(u)}), "pivoting");
  ask.parameter("pivot", Value::of_bool(false), "True");
  EXPECT_EQ(metric(ask, {value(Dtype::f32, {0, 0}, {}), matrix(l), matrix(u)}), "correct");
}

TEST(Cholesky, LowerAndUpper) {
  Real g = random(10, 10, 5);
  Real a = (g * g.transpose() + 10 * Real::Identity(10, 10)).cast<float>().cast<double>();
  Real l = Eigen::LLT<Real>(a).matrixL();
  Asked ask = asked("cholesky", matrix(a));
  EXPECT_EQ(metric(ask, {matrix(l)}), "correct");
  EXPECT_EQ(metric(ask, {matrix(-l)}), "diagonal");
  EXPECT_EQ(metric(ask, {matrix(l.transpose())}), "triangle");
  EXPECT_EQ(metric(ask, {matrix(l * 1.0001)}), "reconstruction");
  ask.parameter("upper", Value::of_bool(true), "False");
  EXPECT_EQ(metric(ask, {matrix(l.transpose())}), "correct");
}

TEST(Svd, SignsAreFreeOrderAndValuesAreNot) {
  Real a = random(9, 6, 6);
  Eigen::JacobiSVD<Real> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  Real u = svd.matrixU(), s = svd.singularValues(), vt = svd.matrixV().transpose();
  Asked ask = asked("svd", matrix(a));
  ask.truth = tuple_of({matrix(u), vector(s), matrix(vt)});
  EXPECT_EQ(metric(ask, {matrix(u), vector(s), matrix(vt)}), "correct");
  Real u2 = u, vt2 = vt, s2 = s;
  u2.col(2) *= -1, vt2.row(2) *= -1;
  EXPECT_EQ(metric(ask, {matrix(u2), vector(s), matrix(vt2)}), "correct");
  u2.col(1).swap(u2.col(3)), vt2.row(1).swap(vt2.row(3)), s2.row(1).swap(s2.row(3));
  EXPECT_EQ(metric(ask, {matrix(u2), vector(s2), matrix(vt2)}), "order");
  EXPECT_EQ(metric(ask, {matrix(-u), vector(-s), matrix(vt)}), "spectrum");
  EXPECT_EQ(metric(ask, {matrix(2 * u), vector(0.5 * s), matrix(vt)}), "spectrum");
  EXPECT_EQ(metric(ask, {matrix(u), vector(s), matrix(u.topRows(6))}), "reconstruction");
}

TEST(Svd, FullMatricesAndValuesAlone) {
  Real a = random(7, 4, 7);
  Eigen::JacobiSVD<Real> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Asked ask = asked("svd", matrix(a));
  EXPECT_EQ(metric(ask, {matrix(svd.matrixU()), vector(svd.singularValues()), matrix(svd.matrixV().transpose())}),
            "correct");
  ask.truth = vector(svd.singularValues());
  EXPECT_EQ(metric(ask, {vector(svd.singularValues())}), "correct");
  EXPECT_EQ(metric(ask, {vector(svd.singularValues() * 1.001)}), "spectrum");
}

Value complex_value(const Matrix& m, bool is_vector) {
  std::vector<std::complex<double>> all;
  for (Eigen::Index r = 0; r < m.rows(); r++)
    for (Eigen::Index c = 0; c < m.cols(); c++) all.push_back(m(r, c));
  return Value::of_tensor(
      tensor_c64(is_vector ? std::vector<int64_t>{m.size()} : std::vector<int64_t>{m.rows(), m.cols()}, all));
}

TEST(Eig, PhasesAndOrderAreFree) {
  Real a = random(8, 8, 8);
  Eigen::EigenSolver<Real> solver(a);
  Matrix w = solver.eigenvalues(), v = solver.eigenvectors();
  Asked ask = asked("eig", matrix(a));
  ask.truth = tuple_of({complex_value(w, true), complex_value(v, false)});
  auto got = [&](const Matrix& values, const Matrix& vectors) {
    return metric(ask, {complex_value(values, true), complex_value(vectors, false)});
  };
  EXPECT_EQ(got(w, v), "correct");
  Matrix w2 = w, v2 = v;
  v2.col(1) *= std::polar(1.0, 0.7);
  w2.row(2).swap(w2.row(5)), v2.col(2).swap(v2.col(5));
  EXPECT_EQ(got(w2, v2), "correct");
  v2 = v, v2.col(3) *= 2;
  EXPECT_EQ(got(w, v2), "unit_vectors");
  w2 = w, w2(4, 0) *= 1.01;
  EXPECT_EQ(got(w2, v), "eigen_residual");
  w2 = w, v2 = v;  // the same pair twice: every pair is right, the spectrum is not
  w2(0, 0) = w2(7, 0), v2.col(0) = v2.col(7);
  EXPECT_EQ(got(w2, v2), "spectrum");
}

TEST(Eig, ARealSpectrumIsAscendingAndOrthonormal) {
  Real g = random(6, 6, 9), a = (g + g.transpose()).cast<float>().cast<double>();
  Eigen::SelfAdjointEigenSolver<Real> solver(a);
  Real w = solver.eigenvalues(), v = solver.eigenvectors();
  Asked ask = asked("eig", matrix(a));
  ask.truth = tuple_of({vector(w), matrix(v)});
  EXPECT_EQ(metric(ask, {vector(w), matrix(v)}), "correct");
  Real w2 = w, v2 = v;
  w2.row(0).swap(w2.row(1)), v2.col(0).swap(v2.col(1));
  EXPECT_EQ(metric(ask, {vector(w2), matrix(v2)}), "order");
}

TEST(Ldl, OneAndTwoByTwoBlocksAndInterchanges) {
  // D = [2x2 block [[0, 1], [1, 0]], 3], L(3, :) = [0.5, -0.25]; rows 1 and 2 interchanged by the 2x2 pivot.
  Real m = Real::Identity(3, 3), d = Real::Zero(3, 3);
  m(2, 0) = 0.5, m(2, 1) = -0.25;
  d(0, 1) = d(1, 0) = 1, d(2, 2) = 3;
  m.row(1).swap(m.row(2));
  Real a = m * d * m.transpose();
  Real packed = Real::Zero(3, 3);
  packed(1, 0) = 1, packed(2, 2) = 3, packed(2, 0) = 0.5, packed(2, 1) = -0.25;
  packed(0, 2) = 99;  // the strict upper triangle is not read
  Asked ask = asked("ldl", matrix(a));
  EXPECT_EQ(metric(ask, {matrix(packed), value(Dtype::i32, {3}, {-3, -3, 3})}), "correct");
  EXPECT_EQ(metric(ask, {matrix(packed), value(Dtype::i32, {3}, {-2, -2, 3})}), "reconstruction");
  EXPECT_EQ(metric(ask, {matrix(packed), value(Dtype::i32, {3}, {1, 2, -3})}), "pivots");
  packed(2, 0) = 0.51;
  EXPECT_EQ(metric(ask, {matrix(packed), value(Dtype::i32, {3}, {-3, -3, 3})}), "reconstruction");
}

TEST(Solve, BackwardErrorDecides) {
  Real a = random(10, 10, 12), b = random(10, 3, 13);
  Real x = Eigen::PartialPivLU<Real>(a).solve(b);
  Asked ask = asked("solve", matrix(a));
  ask.parameter("B", matrix(b));
  EXPECT_EQ(metric(ask, {matrix(x)}), "correct");
  EXPECT_EQ(metric(ask, {matrix(x * 1.01)}), "backward_error");
  EXPECT_EQ(metric(ask, {matrix(Eigen::PartialPivLU<Real>(a.transpose()).solve(b))}), "backward_error");
  Asked vec = asked("solve", matrix(a));
  vec.parameter("B", vector(b.col(0)));
  EXPECT_EQ(metric(vec, {vector(x.col(0))}), "correct");
  EXPECT_EQ(metric(vec, {vector(x.col(1))}), "backward_error");
  Asked right = asked("solve", matrix(a));
  right.parameter("B", matrix(b.transpose()));
  right.parameter("left", Value::of_bool(false), "True");
  Real y = Eigen::PartialPivLU<Real>(a.transpose()).solve(b);
  EXPECT_EQ(metric(right, {matrix(y.transpose())}), "correct");
}

TEST(Solve, AnIllConditionedSystemIsJudgedByItsResidualNotItsValues) {
  Real a(6, 6);
  for (int r = 0; r < 6; r++)
    for (int c = 0; c < 6; c++) a(r, c) = double(float(1.0 / (r + c + 1)));  // Hilbert: condition 1.5e7
  Real b = Real::Ones(6, 1);
  Eigen::MatrixXf x = Eigen::PartialPivLU<Eigen::MatrixXf>(a.cast<float>()).solve(b.cast<float>());
  Asked ask = asked("solve", matrix(a));
  ask.parameter("B", matrix(b));
  EXPECT_EQ(metric(ask, {matrix(x.cast<double>())}), "correct");
}

TEST(Solve, ASolutionWhoseNormOverflowsIsNone) {
  Real a = random(10, 10, 12), b = random(10, 3, 13), x = Real::Constant(10, 3, 1e200);  // residual and bound are infinite
  Asked ask = asked("solve", value(Dtype::f64, {10, 10}, flat(a)));
  ask.parameter("B", value(Dtype::f64, {10, 3}, flat(b)));
  EXPECT_EQ(metric(ask, {value(Dtype::f64, {10, 3}, flat(x))}), "backward_error");
}

TEST(Inverse, TrueInversePasses) {
  Real a = random(9, 9, 14), x = a.inverse();
  Asked ask = asked("inverse", matrix(a));
  EXPECT_EQ(metric(ask, {matrix(x)}), "correct");
  EXPECT_EQ(metric(ask, {matrix(x.transpose())}), "inverse_residual");
  EXPECT_EQ(metric(ask, {matrix(x * 1.001)}), "inverse_residual");
}

TEST(Pinv, PenroseConditions) {
  Real a = random(9, 2, 15) * random(2, 6, 16);
  a = a.cast<float>().cast<double>();
  Eigen::JacobiSVD<Real> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(1e-5);
  Real x = Real::Zero(6, 9);
  for (int k = 0; k < 2; k++) x += svd.matrixV().col(k) * svd.matrixU().col(k).transpose() / svd.singularValues()(k);
  Asked ask = asked("pinv", matrix(a));
  EXPECT_EQ(metric(ask, {matrix(x)}), "correct");
  EXPECT_EQ(metric(ask, {matrix(Real::Zero(6, 9))}), "penrose_1");
  EXPECT_EQ(metric(ask, {matrix(x * 1.01)}), "penrose_1");
  Real padded = x + svd.matrixV().col(0) * Eigen::FullPivLU<Real>(a.transpose()).kernel().col(0).transpose();
  EXPECT_NE(metric(ask, {matrix(padded)}), "correct");
}

TEST(Factorization, MissingOperandsAndFormsAreNotJudged) {
  Asked ask = asked("hessenberg", matrix(Real::Identity(2, 2)));
  EXPECT_EQ(metric(ask, {matrix(Real::Identity(2, 2))}), "not_judged");
  Asked solve = asked("solve", matrix(Real::Identity(2, 2)));
  EXPECT_EQ(metric(solve, {matrix(Real::Identity(2, 2))}), "not_judged");
  Asked nan = asked("inverse", value(Dtype::f32, {1, 1}, {kNan}));
  EXPECT_EQ(metric(nan, {matrix(Real::Identity(1, 1))}), "not_judged");
}

TEST(Factorization, PaperComparesValuesSoSignsFailThere) {
  Asked ask = asked("qr", matrix(Real::Identity(2, 2)));
  ask.got = tuple_of({matrix(-Real::Identity(2, 2)), matrix(-Real::Identity(2, 2))});
  ask.eager = tuple_of({matrix(Real::Identity(2, 2)), matrix(Real::Identity(2, 2))});
  EXPECT_EQ(ask.kbx().verdict, Verdict::correct);
  Judgement paper = ask.paper();
  EXPECT_EQ(paper.verdict, Verdict::wrong_value);
  EXPECT_EQ(paper.path, "result[0]");
}

}  // namespace
}  // namespace kbx::judge
