// stream_escape: streams and graphs of the candidate's own.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr NamePattern kNames[] = {
    NamePattern{"torch.cuda.Stream", Severity::note, "runs work outside the current stream's order"},
    NamePattern{"torch.cuda.stream", Severity::note, "runs work outside the current stream's order"},
    NamePattern{"torch.cuda.set_stream", Severity::note, "runs work outside the current stream's order"},
    NamePattern{"torch.cuda.ExternalStream", Severity::note, "runs work outside the current stream's order"},
    NamePattern{"torch.cuda.StreamContext", Severity::note, "runs work outside the current stream's order"},
    NamePattern{"torch.cuda.CUDAGraph", Severity::note, "records and replays work as a graph"},
    NamePattern{"torch.cuda.graph", Severity::note, "records and replays work as a graph"},
    NamePattern{"torch.cuda.graphs", Severity::note, "records and replays work as a graph"},
    NamePattern{"torch.cuda.make_graphed_callables", Severity::note, "records and replays work as a graph"},
    NamePattern{"torch.cuda.graph_pool_handle", Severity::note, "records and replays work as a graph"},
    NamePattern{"torch.Stream", Severity::note, "runs work outside the current stream's order"},
};

void check(const Context& context, Report& report) { check_names(context, report, kNames); }

}  // namespace

constinit const Rule stream_escape = {
    "stream_escape",
    Severity::note,
    "own CUDA streams and CUDA graphs",
    "work on another stream may escape a clock that watches the current one; the judge watches the whole device, so "
    "this is for the reader",
    "`torch.cuda.current_stream()`, `torch.cuda.synchronize()`, a graph of nodes named `graph`",
    check};

}  // namespace kbx::lint::rules
