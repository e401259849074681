// The shape arithmetic of cost expressions: what a result's size depends on.
#pragma once
#include "base/result.h"
#include "model/value.h"

namespace kbx::suite {

// The shape that PyTorch broadcasts both to, with a's dtype; strides and bytes mean nothing. Error: they do not fit.
Result<Tensor> broadcast(const Tensor& a, const Tensor& b);
// t without the dims that `dim` names (one, a list of them, None = all): what a reduction leaves.
Result<Tensor> drop(const Tensor& t, const Value& dim);
// How many windows of a convolution or pooling stand side by side in n elements.
struct Window {
  double kernel = 1, stride = 1, padding = 0, dilation = 1;
};
double windows(double n, const Window& w);
// The same with ceil_mode: a last window may run over the end, if it starts within the input or its left padding.
double windows_ceil(double n, const Window& w);
// The elements that differ in memory: what an expanded dim repeats is there once.
int64_t distinct_elements(const Tensor& t);
// The product of all numbers in a list and the lists within it.
double product(const Value& v);

}  // namespace kbx::suite
