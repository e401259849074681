// Inside the oracle `factorization`: properties instead of values, in double precision (complex, so that one code
// serves all). With n = max(rows, columns) of A, eps of the result's dtype, c of the task (30) and Frobenius norms, a
// form's residuals must stay within u = c n eps times the norm that backward stability scales them by (Higham,
// "Accuracy and Stability of Numerical Algorithms", 2nd ed., chapters 9, 10, 11, 14, 19). Signs, phases, pivot choices
// and the order of what is not ordered are free. Triangles must be zero exactly. NaN or Inf in a result is always
// wrong. Products of matrices beyond kExactSize are not formed: their norm is estimated with 16 vectors of random
// signs, whose expected squared image is the squared Frobenius norm (Hutchinson), from a fixed seed.
#pragma once
#include <Eigen/Dense>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kbx::judge {

using Matrix = Eigen::MatrixXcd;
inline constexpr Eigen::Index kExactSize = 160;

// One matrix of a batch: what went in and what came out.
struct Factors {
  Matrix a, b;                 // b: right-hand side (solve)
  std::vector<Matrix> got;     // results in order; vectors (S, w, pivots) as columns
  std::vector<Matrix> truth;   // the float64 reference's, or empty
  double unit = 0;             // c n eps
  bool upper = false;          // cholesky: A = U^H U
  bool left = true;            // solve: A X = B; else X A = B
  bool pivot = true;           // lu with partial pivoting
  bool hermitian = false;      // ldl: L D L^H; else L D L^T
  bool real_spectrum = false;  // eig: eigenvalues came as real numbers (eigh)
};

// A property that does not hold.
struct Broken {
  std::string metric;  // "reconstruction", "orthogonality", "triangle", ...
  double value = 0, bound = 0;
  std::string sentence;
};
using Checked = std::optional<Broken>;

Checked check_qr(const Factors& f);  // Q, R: A = Q R, Q^H Q = I, R upper. Q empty (mode "r"): R^H R = A^H A
Checked check_lu(
    const Factors& f);  // P, L, U: A = P L U, P a permutation, L unit lower with |l| <= 1, U upper; or LU, pivots
Checked check_cholesky(const Factors& f);  // L: A = L L^H, L lower with positive diagonal; upper likewise
Checked check_svd(
    const Factors& f);  // U, S, V^H: reconstruction, orthogonality, S >= 0 descending and as in truth; or S alone
Checked check_eig(const Factors& f);      // w, V: A V = V diag(w), |v_j| = 1, w as in truth in some order
Checked check_ldl(const Factors& f);      // LD, pivots (LAPACK's sytrf/hetrf, lower): A = P L D L' P'
Checked check_solve(const Factors& f);    // X: |A X - B| <= u (|A| |X| + |B|): normwise backward error
Checked check_inverse(const Factors& f);  // X: |A X - I| or |X A - I| <= u |A| |X|
Checked check_pinv(const Factors& f);     // X: the four Penrose conditions

// Frobenius norm of a linear map with `columns` columns, given as X -> map X.
double map_norm(Eigen::Index columns, const std::function<Matrix(const Matrix&)>& map);
Checked within(const char* metric, double value, double bound, const char* what);
// |M^H M - I| over the columns.
double orthogonality(const Matrix& m);
// Exactly zero above (lower = true) or below the diagonal?
Checked triangle(const Matrix& m, bool lower, const char* name);

}  // namespace kbx::judge
