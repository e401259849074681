#include "stats/separation.h"

#include <vector>

namespace kbx::stats {
namespace {

constexpr double kNothing = 1e-9;

// Least squares on the free columns alone; the others are 0.
Eigen::VectorXd solve_free(const Eigen::MatrixXd& a, const Eigen::VectorXd& y, const std::vector<Eigen::Index>& free) {
  Eigen::MatrixXd part(a.rows(), Eigen::Index(free.size()));
  for (size_t k = 0; k < free.size(); k++) part.col(Eigen::Index(k)) = a.col(free[k]);
  Eigen::VectorXd solved = part.colPivHouseholderQr().solve(y);
  Eigen::VectorXd u = Eigen::VectorXd::Zero(a.cols());
  for (size_t k = 0; k < free.size(); k++) u[free[k]] = solved[Eigen::Index(k)];
  return u;
}

// From u towards `wanted`, as far as u stays >= 0; what reaches 0 is no longer free.
void move_towards(Eigen::VectorXd& u, const Eigen::VectorXd& wanted, std::vector<Eigen::Index>& free) {
  double share = 1;
  for (Eigen::Index k : free)
    if (wanted[k] <= 0) share = std::min(share, u[k] / (u[k] - wanted[k]));
  u += share * (wanted - u);
  std::erase_if(free, [&](Eigen::Index k) {
    bool out = u[k] <= kNothing * 1e-3 && wanted[k] <= 0;
    if (out) u[k] = 0;
    return out;
  });
}

// The rows as z (see the header), unit length, those without a part of their own left out.
struct Signed {
  Eigen::MatrixXd z;  // one a column
  bool mixed = false;
};
Signed signed_rows(const DesignMatrix& d) {
  Signed out;
  std::vector<Eigen::Index> mixed, pure;
  for (Eigen::Index k = 0; k < d.x.rows(); k++) (d.successes[k] > 0 && d.successes[k] < d.trials[k] ? mixed : pure).push_back(k);
  out.mixed = !mixed.empty();
  Eigen::MatrixXd span = Eigen::MatrixXd::Zero(d.x.cols(), 0);
  if (out.mixed) {
    Eigen::MatrixXd m(d.x.cols(), Eigen::Index(mixed.size()));
    for (size_t k = 0; k < mixed.size(); k++) m.col(Eigen::Index(k)) = d.x.row(mixed[k]).normalized().transpose();
    auto qr = m.colPivHouseholderQr();
    qr.setThreshold(kNothing);
    span = (qr.householderQ() * Eigen::MatrixXd::Identity(d.x.cols(), qr.rank())).eval();
  }
  std::vector<Eigen::VectorXd> kept;
  for (Eigen::Index k : pure) {
    Eigen::VectorXd x = d.x.row(k).normalized().transpose();
    for (int twice = 0; twice < 2; twice++) x -= span * (span.transpose() * x);
    if (x.norm() <= kNothing) continue;
    kept.push_back(d.successes[k] > 0 ? x.normalized().eval() : (-x.normalized()).eval());
  }
  out.z.resize(d.x.cols(), Eigen::Index(kept.size()));
  for (size_t k = 0; k < kept.size(); k++) out.z.col(Eigen::Index(k)) = kept[k];
  return out;
}

}  // namespace

Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& y) {
  Eigen::VectorXd u = Eigen::VectorXd::Zero(a.cols());
  std::vector<Eigen::Index> free;
  for (Eigen::Index outer = 0; outer < 3 * a.cols() + 10; outer++) {
    Eigen::VectorXd gain = a.transpose() * (y - a * u);
    for (Eigen::Index k : free) gain[k] = 0;
    Eigen::Index best = 0;
    if (a.cols() == 0 || gain.maxCoeff(&best) <= kNothing) break;
    free.push_back(best);
    for (Eigen::VectorXd wanted;;) {
      wanted = solve_free(a, y, free);
      bool inside = true;
      for (Eigen::Index k : free) inside &= wanted[k] > 0;
      if (inside || free.size() == 1) {
        u = wanted.cwiseMax(0);
        break;
      }
      size_t before = free.size();
      move_towards(u, wanted, free);
      if (free.size() == before) return u;  // rounding alone holds it up
    }
  }
  return u;
}

Separation separation_of(const DesignMatrix& d) {
  Signed rows = signed_rows(d);
  if (rows.z.cols() == 0) return Separation::none;
  Eigen::VectorXd target = -rows.z.rowwise().sum();
  Eigen::VectorXd u = nonnegative_least_squares(rows.z, target);
  double scale = double(rows.z.cols());
  if ((rows.z * u - target).norm() <= 1e-7 * scale) return Separation::none;
  if (rows.mixed) return Separation::quasi;
  // w >= 0 with sum 1 and sum w z = 0?
  Eigen::MatrixXd with_sum(rows.z.rows() + 1, rows.z.cols());
  with_sum << rows.z, Eigen::RowVectorXd::Ones(rows.z.cols());
  Eigen::VectorXd one = Eigen::VectorXd::Zero(with_sum.rows());
  one[with_sum.rows() - 1] = 1;
  Eigen::VectorXd w = nonnegative_least_squares(with_sum, one);
  return (with_sum * w - one).norm() <= 1e-7 ? Separation::quasi : Separation::complete;
}

}  // namespace kbx::stats
