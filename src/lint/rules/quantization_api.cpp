// quantization_api: in quantization tasks the scheme is the work.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr std::string_view kWhat = "does the quantization that the task asks for";

constexpr NamePattern kNames[] = {
    {"torch.quantize_per_tensor", Severity::reject, kWhat},
    {"torch.quantize_per_tensor_dynamic", Severity::reject, kWhat},
    {"torch.quantize_per_channel", Severity::reject, kWhat},
    {"torch.dequantize", Severity::reject, kWhat},
    {"torch.fake_quantize_per_tensor_affine", Severity::reject, kWhat},
    {"torch.fake_quantize_per_channel_affine", Severity::reject, kWhat},
    {"torch.fused_moving_avg_obs_fake_quant", Severity::reject, kWhat},
    {"torch.choose_qparams_optimized", Severity::reject, kWhat},
    {"torch.ao", Severity::reject, kWhat},
    {"torch.ops.quantized", Severity::reject, kWhat},
    {"torch.ops.quantized_decomposed", Severity::reject, kWhat},
    {"torch.ops.torchao", Severity::reject, kWhat},
    {"torch.ops.fbgemm", Severity::reject, kWhat},
    {"torch.backends.quantized", Severity::reject, kWhat},
    {"torch._int_mm", Severity::reject, kWhat},
    {"torch._scaled_mm", Severity::reject, kWhat},
    {"torch._weight_int8pack_mm", Severity::reject, kWhat},
    {"torch._weight_int4pack_mm", Severity::reject, kWhat},
    {"torch._convert_weight_to_int4pack", Severity::reject, kWhat},
    {"torch._choose_qparams_per_tensor", Severity::reject, kWhat},
    {"torch._make_per_tensor_quantized_tensor", Severity::reject, kWhat},
    {"torch._make_per_channel_quantized_tensor", Severity::reject, kWhat},
    {"torch._empty_affine_quantized", Severity::reject, kWhat},
    {"torch.nn.functional.scaled_mm", Severity::reject, kWhat},
    {"torch.nn.qat", Severity::reject, kWhat},
    {"torch.nn.intrinsic", Severity::reject, kWhat},
    {"torch.per_tensor_affine", Severity::reject, kWhat},
    {"torch.qint8", Severity::reject, kWhat},
    {"torch.quint8", Severity::reject, kWhat},
    {"torch.qint32", Severity::reject, kWhat},
    {"torch.quint4x2", Severity::reject, kWhat},
    {"torchao", Severity::reject, kWhat},
    {"bitsandbytes", Severity::reject, kWhat},
    {"auto_gptq", Severity::reject, kWhat},
    {"gptqmodel", Severity::reject, kWhat},
    {"awq", Severity::reject, kWhat},
    {"quanto", Severity::reject, kWhat},
    {"optimum.quanto", Severity::reject, kWhat},
    {"hqq", Severity::reject, kWhat},
    {"transformer_engine", Severity::reject, kWhat},
    {"marlin", Severity::reject, kWhat},
    {"fbgemm_gpu", Severity::reject, kWhat},
};

// Methods that only quantized tensors have.
constexpr std::string_view kMethods[] = {"int_repr", "q_scale", "q_zero_point", "q_per_channel_scales"};

void check(const Context& context, Report& report) {
  if (!context.input.quantization_task) return;
  check_names(context, report, kNames);
  const Source& source = context.source;
  for (NodeId id = 0; id < source.size(); id++) {
    if (source.kind(id) != "call") continue;
    NodeId callee = source.child(id, "function");
    NodeId method =
        callee != kNoNode && source.kind(callee) == "attribute" ? source.child(callee, "attribute") : kNoNode;
    if (method == kNoNode) continue;
    for (std::string_view m : kMethods)
      if (source.text(method) == m)
        report.add(method, "." + std::string(m) + "() is a method of quantized tensors only");
  }
}

}  // namespace

constinit const Rule quantization_api = {
    "quantization_api",
    Severity::reject,
    "in quantization tasks: `torch.quantize_per_tensor` and its kin, `torch.ao`, `torch.ops.quantized`, "
    "`torch._int_mm`, "
    "`torch._scaled_mm`, fake quantization, bitsandbytes and other libraries, under any alias or getattr",
    "the task is to quantize; a ready-made operator would do it instead",
    "`x.to(torch.int8)`, functions of one's own named `quantize` or `dequantize`, the names in comments; other tasks",
    check};

}  // namespace kbx::lint::rules
