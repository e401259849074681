// memory_replay: no search in the allocator's memory.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr NamePattern kNames[] = {
    NamePattern{"torch.cuda.memory_snapshot", Severity::reject, "reads or takes the allocator's raw memory"},
    NamePattern{"torch.cuda.caching_allocator_alloc", Severity::reject, "reads or takes the allocator's raw memory"},
    NamePattern{"torch.cuda.caching_allocator_delete", Severity::reject, "reads or takes the allocator's raw memory"},
    NamePattern{"torch.cuda._snapshot", Severity::reject, "reads or takes the allocator's raw memory"},
    NamePattern{"torch.cuda._record_memory_history", Severity::reject, "reads or takes the allocator's raw memory"},
    NamePattern{"torch.cuda._dump_snapshot", Severity::reject, "reads or takes the allocator's raw memory"},
    NamePattern{"torch.cuda.MemPool", Severity::reject, "reads or takes the allocator's raw memory"},
    NamePattern{"torch.cuda.use_mem_pool", Severity::reject, "reads or takes the allocator's raw memory"},
    NamePattern{"torch.cuda.memory.memory_snapshot", Severity::reject, "reads or takes the allocator's raw memory"},
    NamePattern{"torch.cuda.memory.caching_allocator_alloc", Severity::reject,
                "reads or takes the allocator's raw memory"},
    NamePattern{"torch.cuda.memory.caching_allocator_delete", Severity::reject,
                "reads or takes the allocator's raw memory"},
    NamePattern{"torch.cuda.memory._snapshot", Severity::reject, "reads or takes the allocator's raw memory"},
    NamePattern{"torch.cuda.memory._record_memory_history", Severity::reject,
                "reads or takes the allocator's raw memory"},
    NamePattern{"torch.cuda.memory._dump_snapshot", Severity::reject, "reads or takes the allocator's raw memory"},
    NamePattern{"torch.cuda.memory.MemPool", Severity::reject, "reads or takes the allocator's raw memory"},
    NamePattern{"torch.cuda.memory.use_mem_pool", Severity::reject, "reads or takes the allocator's raw memory"},
    NamePattern{"torch._C._construct_storage_from_data_pointer", Severity::reject, "makes a tensor from an address"},
    NamePattern{"torch._C._construct_CUDA_Tensor_From_Storage_And_Metadata", Severity::reject,
                "makes a tensor from an address"},
    NamePattern{"torch._C._storage_Use_Count", Severity::reject, "looks into the allocator"},
    NamePattern{"torch._utils._rebuild_cuda_tensor", Severity::reject, "makes a tensor from an address"},
    NamePattern{"torch.cuda.list_gpu_processes", Severity::reject, "looks at other processes"},
    NamePattern{"torch.UntypedStorage._new_shared_cuda", Severity::reject, "makes a tensor from an address"},
    NamePattern{"torch.from_file", Severity::reject, "maps a file as a tensor"},
};

void check(const Context& context, Report& report) { check_names(context, report, kNames); }

}  // namespace

constinit const Rule memory_replay = {
    "memory_replay",
    Severity::reject,
    "the caching allocator's snapshots, raw allocation and history; tensors made from addresses",
    "freed memory may still hold the right answer of somebody else",
    "`torch.empty` and `torch.empty_like`, `torch.cuda.empty_cache()`, `torch.cuda.memory_allocated()`",
    check};

}  // namespace kbx::lint::rules
