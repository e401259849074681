// The list of analyses, in the order of reports: see the header.
#include "report/analysis/analyses.h"

namespace kbx::report {
namespace {

constexpr AnalysisEntry kEntries[] = {
    {"runs", "the runs, what is left out, what makes them hard to compare", runs_table},
    {"stages_by_category", "compile, call, standard, outlier, correct, by category", stages_by_category},
    {"stages_by_method", "the same by method", stages_by_method},
    {"failures", "what failed: class, verdict, oracle or exception", failures_table},
    {"rules_apart", "what kbx says of candidates that the published rules take", rules_apart_table},
    {"deviance", "how much of correctness category and method explain", deviance_table},
    {"deviance_steps", "the analysis of deviance behind it", deviance_steps_table},
    {"rounds", "iteration round by round", rounds_table},
    {"transitions", "rescued, persistent and regressed tasks", transitions_table},
    {"pass_at_k", "pass@k", pass_at_table},
    {"cost", "cost per solved task", cost_table},
    {"equal_budget", "tasks solved at equal budget", equal_budget_table},
    {"quantization", "the quantization tasks by metric and contract", quantization_table},
    {"speed", "speedups of correct kernels", speed_table},
    {"fast_p", "correct and faster than p", fast_p_table},
    {"efficiency", "IOU, MFU, distance to the floor, device against host", efficiency_table},
    {"across_gpus", "the same kernels on several GPUs", across_gpus_table},
    {"winners", "tasks won by method and GPU", winners_table},
    {"architectures", "kernels by architecture, from the compiler", architectures_table},
    {"unportable", "kernels that run on one architecture and not on another", unportable_table},
};

}  // namespace

std::span<const AnalysisEntry> analyses() { return kEntries; }

}  // namespace kbx::report
