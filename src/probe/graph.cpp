// A node's parameters point to memory of the graph; their bytes are copied at once. Data that a copy takes from the
// host is read when the graph is launched, as the driver does.
#include "probe/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

namespace kbx::probe {
namespace {

constexpr size_t kMaxNodes = 65536, kMaxDepth = 8;

class Reader {
 public:
  Reader(const cuda::Driver& driver, Recorder& recorder, ReadGraph& out)
      : driver_(driver), recorder_(recorder), out_(out) {}

  void graph(CUgraph graph, size_t depth) {
    size_t count = 0, edges = 0;
    if (depth > kMaxDepth) return give_up("a graph in a graph in a graph");
    if (driver_.cuGraphGetNodes(graph, nullptr, &count) != CUDA_SUCCESS) return give_up("its nodes cannot be read");
    if (count > kMaxNodes) return give_up("it has too many nodes");
    std::vector<CUgraphNode> nodes(count);
    if (count && driver_.cuGraphGetNodes(graph, nodes.data(), &count) != CUDA_SUCCESS)
      return give_up("its nodes cannot be read");
    if (driver_.cuGraphGetEdges(graph, nullptr, nullptr, &edges) != CUDA_SUCCESS)
      return give_up("its edges have properties that are not known");
    std::vector<CUgraphNode> from(edges), to(edges);
    if (edges && driver_.cuGraphGetEdges(graph, from.data(), to.data(), &edges) != CUDA_SUCCESS)
      return give_up("its edges cannot be read");
    std::map<CUgraphNode, size_t> index;
    for (size_t k = 0; k < count; k++) index[nodes[k]] = k;
    std::vector<std::pair<size_t, size_t>> pairs;
    for (size_t k = 0; k < edges; k++) pairs.emplace_back(index[from[k]], index[to[k]]);
    auto order = topological_order(count, pairs);
    if (!order) return give_up("its edges make a circle");
    for (size_t k : *order) node(nodes[k], depth);
  }

 private:
  void give_up(std::string why) {
    if (out_.trouble.empty()) out_.trouble = std::move(why);
  }

  void node(CUgraphNode n, size_t depth) {
    CUgraphNodeType type;
    if (driver_.cuGraphNodeGetType(n, &type) != CUDA_SUCCESS) return give_up("a node cannot be read");
    switch (type) {
      case CU_GRAPH_NODE_TYPE_KERNEL:
        return kernel(n);
      case CU_GRAPH_NODE_TYPE_MEMSET:
        return fill(n);
      case CU_GRAPH_NODE_TYPE_MEMCPY:
        return copy(n);
      case CU_GRAPH_NODE_TYPE_EMPTY:
        return;
      case CU_GRAPH_NODE_TYPE_GRAPH: {
        CUgraph inner;
        if (driver_.cuGraphChildGraphNodeGetGraph(n, &inner) != CUDA_SUCCESS)
          return give_up("a graph in it cannot be read");
        return graph(inner, depth + 1);
      }
      default:
        return give_up(fmt::format("it has a node of type {}", int(type)));
    }
  }

  void kernel(CUgraphNode n) {
    CUDA_KERNEL_NODE_PARAMS p{};
    if (driver_.cuGraphKernelNodeGetParams(n, &p) != CUDA_SUCCESS) return give_up("a kernel node cannot be read");
    LaunchCall call;
    call.function = p.kern ? Handle(p.kern) : Handle(p.func);
    call.grid = {p.gridDimX, p.gridDimY, p.gridDimZ};
    call.block = {p.blockDimX, p.blockDimY, p.blockDimZ};
    call.shared = p.sharedMemBytes;
    call.values = p.kernelParams;
    call.extra = p.extra;
    attributes(n, call);
    std::string why;
    const LoadedFunction* f = recorder_.handles().resolve(call.function, nullptr, why);
    Bytes packed;
    if (!f || !recorder_.pack(call, *f, packed, why)) return give_up(why);
    call.packed = std::move(packed);
    call.values = call.extra = nullptr;
    out_.calls.emplace_back(std::move(call));
  }

  // The attributes that change what a kernel does; the driver gives all back, set or not.
  void attributes(CUgraphNode n, LaunchCall& call) {
    auto get = [&](CUlaunchAttributeID id) {
      CUlaunchAttribute a{};
      a.id = id;
      bool got = driver_.cuGraphKernelNodeGetAttribute(n, id, &a.value) == CUDA_SUCCESS;
      return std::pair(got, a);
    };
    auto add = [&](const CUlaunchAttribute& a) {
      auto from = reinterpret_cast<const std::byte*>(&a);
      call.attributes.insert(call.attributes.end(), from, from + sizeof a);
    };
    if (auto [got, a] = get(CU_LAUNCH_ATTRIBUTE_COOPERATIVE); got && a.value.cooperative) add(a);
    if (auto [got, a] = get(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION); got && a.value.clusterDim.x) {
      add(a);
      if (auto [also, policy] = get(CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE); also) add(policy);
    }
  }

  void fill(CUgraphNode n) {
    CUDA_MEMSET_NODE_PARAMS p{};
    if (driver_.cuGraphMemsetNodeGetParams(n, &p) != CUDA_SUCCESS) return give_up("a fill cannot be read");
    out_.calls.emplace_back(FillCall{p.dst, p.elementSize, p.value, p.pitch, p.width, p.height, nullptr});
  }

  void copy(CUgraphNode n) {
    CUDA_MEMCPY3D p{};
    if (driver_.cuGraphMemcpyNodeGetParams(n, &p) != CUDA_SUCCESS) return give_up("a copy cannot be read");
    std::string why;
    CopyCall call = copy_of(p, why);
    if (!why.empty()) return give_up(why);
    out_.calls.emplace_back(call);
  }

  const cuda::Driver& driver_;
  Recorder& recorder_;
  ReadGraph& out_;
};

CopyCall::Side side_of(CUmemorytype type) {
  return type == CU_MEMORYTYPE_HOST     ? CopyCall::Side::host
         : type == CU_MEMORYTYPE_DEVICE ? CopyCall::Side::device
                                        : CopyCall::Side::unknown;
}

}  // namespace

std::optional<std::vector<size_t>> topological_order(size_t count,
                                                     const std::vector<std::pair<size_t, size_t>>& edges) {
  std::vector<std::vector<size_t>> next(count);
  std::vector<size_t> before(count), order;
  for (auto [from, to] : edges) {
    next[from].push_back(to);
    before[to]++;
  }
  std::set<size_t> ready;
  for (size_t k = 0; k < count; k++)
    if (before[k] == 0) ready.insert(k);
  while (!ready.empty()) {
    size_t k = *ready.begin();
    ready.erase(ready.begin());
    order.push_back(k);
    for (size_t n : next[k])
      if (--before[n] == 0) ready.insert(n);
  }
  if (order.size() != count) return std::nullopt;
  return order;
}

CopyCall copy_of(const CUDA_MEMCPY3D& c, std::string& why) {
  CopyCall out;
  if (c.Depth > 1 || c.srcZ || c.dstZ || c.srcMemoryType == CU_MEMORYTYPE_ARRAY ||
      c.dstMemoryType == CU_MEMORYTYPE_ARRAY) {
    why = "a three-dimensional copy";
    return out;
  }
  out.from_side = side_of(c.srcMemoryType), out.to_side = side_of(c.dstMemoryType);
  out.from = out.from_side == CopyCall::Side::host ? uint64_t(c.srcHost) : c.srcDevice;
  out.to = out.to_side == CopyCall::Side::host ? uint64_t(c.dstHost) : c.dstDevice;
  out.columns = c.WidthInBytes, out.rows = std::max<size_t>(c.Height, 1);
  out.from_pitch = c.srcPitch, out.to_pitch = c.dstPitch;
  out.from += c.srcXInBytes + c.srcY * c.srcPitch;
  out.to += c.dstXInBytes + c.dstY * c.dstPitch;
  return out;
}

ReadGraph read_graph(const cuda::Driver& driver, Recorder& recorder, CUgraph graph) {
  ReadGraph out;
  Reader(driver, recorder, out).graph(graph, 0);
  return out;
}

}  // namespace kbx::probe
