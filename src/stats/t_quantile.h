// Student's t distribution: P(|T| <= t) and its inverse, by the finite trigonometric series for whole degrees of freedom
// (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4).
#pragma once

namespace kbx::stats {

// Two-sided: the chance that |T| <= t. degrees >= 1, t >= 0.
double t_within(double t, int degrees);
// The t with t_within(t, degrees) = coverage; 0 < coverage < 1. Relative error below 1e-9.
double t_quantile(double coverage, int degrees);

}  // namespace kbx::stats
