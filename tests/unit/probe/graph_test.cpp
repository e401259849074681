// A candidate's own CUDA graph, read through a driver that a test fakes, and played into a tape.
#include "probe/graph.h"

#include <gmock/gmock.h>

#include "fakes.h"
#include "probe/adapter.h"

namespace kbx::probe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(TopologicalOrder, EdgesComeFirstAndTiesByIndex) {
  EXPECT_THAT(*topological_order(4, {{3, 0}, {0, 1}}), ElementsAre(2, 3, 0, 1));
  EXPECT_THAT(*topological_order(3, {}), ElementsAre(0, 1, 2));
}
TEST(TopologicalOrder, ACircleHasNone) { EXPECT_FALSE(topological_order(2, {{0, 1}, {1, 0}})); }
TEST(TopologicalOrder, ADiamond) {
  EXPECT_THAT(*topological_order(4, {{0, 2}, {0, 1}, {1, 3}, {2, 3}}), ElementsAre(0, 1, 2, 3));
}

TEST(CopyOf, ThreeDimensionsAreTooMany) {
  CUDA_MEMCPY3D c{};
  std::string why;
  c.Depth = 2;
  copy_of(c, why);
  EXPECT_THAT(why, HasSubstr("three-dimensional"));
}

// Nodes are pointers to these.
struct Node {
  CUgraphNodeType type;
  CUDA_KERNEL_NODE_PARAMS kernel{};
  CUDA_MEMSET_NODE_PARAMS fill{};
  CUDA_MEMCPY3D copy{};
};
struct Graph {
  std::vector<Node*> nodes;
  std::vector<std::pair<Node*, Node*>> edges;
};

cuda::Driver fake_driver() {
  cuda::Driver d;
  d.cuGraphGetNodes = [](CUgraph graph, CUgraphNode* out, size_t* count) {
    auto& g = *reinterpret_cast<Graph*>(graph);
    *count = g.nodes.size();
    for (size_t k = 0; out && k < g.nodes.size(); k++) out[k] = reinterpret_cast<CUgraphNode>(g.nodes[k]);
    return CUDA_SUCCESS;
  };
  d.cuGraphGetEdges = [](CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
    auto& g = *reinterpret_cast<Graph*>(graph);
    *count = g.edges.size();
    for (size_t k = 0; from && k < g.edges.size(); k++)
      from[k] = reinterpret_cast<CUgraphNode>(g.edges[k].first),
      to[k] = reinterpret_cast<CUgraphNode>(g.edges[k].second);
    return CUDA_SUCCESS;
  };
  d.cuGraphNodeGetType = [](CUgraphNode n, CUgraphNodeType* type) {
    *type = reinterpret_cast<Node*>(n)->type;
    return CUDA_SUCCESS;
  };
  d.cuGraphKernelNodeGetParams = [](CUgraphNode n, CUDA_KERNEL_NODE_PARAMS* p) {
    *p = reinterpret_cast<Node*>(n)->kernel;
    return CUDA_SUCCESS;
  };
  d.cuGraphKernelNodeGetAttribute = [](CUgraphNode, CUkernelNodeAttrID id, CUkernelNodeAttrValue* value) {
    *value = {};
    if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) value->cooperative = 1;
    return CUDA_SUCCESS;
  };
  d.cuGraphMemsetNodeGetParams = [](CUgraphNode n, CUDA_MEMSET_NODE_PARAMS* p) {
    *p = reinterpret_cast<Node*>(n)->fill;
    return CUDA_SUCCESS;
  };
  d.cuGraphMemcpyNodeGetParams = [](CUgraphNode n, CUDA_MEMCPY3D* p) {
    *p = reinterpret_cast<Node*>(n)->copy;
    return CUDA_SUCCESS;
  };
  return d;
}

class GraphTest : public testing::Test {
 protected:
  FakeMemory memory;
  FakeLookup lookup;
  Arena arena{memory, kBase};
  Recorder recorder{lookup, arena};
  cuda::Driver driver = fake_driver();
  Adapter adapter{driver, recorder};
  Bytes elf = tiny_elf();
  uint64_t a = arena.allocate(1024), b = arena.allocate(1024);
  uint64_t first = a, second = b;
  int count = 3;
  void* values[3] = {&first, &second, &count};
  Node kernel{CU_GRAPH_NODE_TYPE_KERNEL}, fill{CU_GRAPH_NODE_TYPE_MEMSET}, copy{CU_GRAPH_NODE_TYPE_MEMCPY},
      empty{CU_GRAPH_NODE_TYPE_EMPTY};
  Graph graph;
  CUgraphExec exec = reinterpret_cast<CUgraphExec>(uintptr_t(0x7000));

  void SetUp() override {
    recorder.handles().module_loaded(handle(1), elf.data(), DeviceImage::Via::module_data);
    recorder.handles().function_named(handle(2), handle(1), "k");
    kernel.kernel.func = reinterpret_cast<CUfunction>(const_cast<void*>(handle(2)));
    kernel.kernel.gridDimX = 6, kernel.kernel.gridDimY = kernel.kernel.gridDimZ = 1;
    kernel.kernel.blockDimX = 32, kernel.kernel.blockDimY = kernel.kernel.blockDimZ = 1;
    kernel.kernel.kernelParams = values;
    fill.fill = {a, 0, 0xff, 4, 16, 1};
    copy.copy.srcMemoryType = copy.copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.copy.srcDevice = a, copy.copy.dstDevice = b, copy.copy.WidthInBytes = 64,
    copy.copy.Height = copy.copy.Depth = 1;
    graph.nodes = {&kernel, &copy, &fill, &empty};
    graph.edges = {{&fill, &copy}, {&copy, &empty}, {&empty, &kernel}};
  }
  CUgraph handle_of(Graph& g) { return reinterpret_cast<CUgraph>(&g); }
  void instantiate() {
    cuGraphInstantiateWithFlags_params p{&exec, handle_of(graph), 0};
    adapter.take({CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags, false, "cuGraphInstantiateWithFlags", nullptr,
                  &p, CUDA_SUCCESS});
  }
  void launch() {
    cuGraphLaunch_params p{exec, nullptr};
    adapter.take({CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, true, "cuGraphLaunch", nullptr, &p, CUDA_SUCCESS});
  }
};

TEST_F(GraphTest, IsUnrolledInAnOrderThatItsEdgesAllow) {
  instantiate();
  recorder.start(nullptr);
  launch();
  recorder.stop();
  DeviceTape tape = recorder.tape();
  ASSERT_THAT(tape.trouble, IsEmpty());
  ASSERT_EQ(tape.entries.size(), 3u);
  EXPECT_EQ(std::get<DeviceFill>(tape.entries[0]).value, 0xffu);
  EXPECT_EQ(std::get<DeviceFill>(tape.entries[0]).columns, 16u);
  EXPECT_EQ(std::get<DeviceCopy>(tape.entries[1]).to, b);
  EXPECT_EQ(std::get<DeviceLaunch>(tape.entries[2]).grid[0], 6u);
  EXPECT_EQ(std::get<DeviceLaunch>(tape.entries[2]).attributes.size(), sizeof(CUlaunchAttribute));
  Bytes bytes = dump_device_tape(tape);
  EXPECT_TRUE(parse_device_tape(bytes.data(), bytes.size()));
}

TEST_F(GraphTest, ParametersAreThoseOfItsMaking) {
  instantiate();
  first = second = 0;
  recorder.start(nullptr);
  launch();
  recorder.stop();
  DeviceTape tape = recorder.tape();
  uint64_t word;
  std::memcpy(&word, std::get<DeviceLaunch>(tape.entries.at(2)).parameters.data(), 8);
  EXPECT_EQ(word, a);
}

TEST_F(GraphTest, EachLaunchIsPlayed) {
  instantiate();
  recorder.start(nullptr);
  launch();
  launch();
  recorder.stop();
  EXPECT_EQ(recorder.tape().entries.size(), 6u);
}

TEST_F(GraphTest, AHostNodeIsTrouble) {
  empty.type = CU_GRAPH_NODE_TYPE_HOST;
  instantiate();
  recorder.start(nullptr);
  launch();
  recorder.stop();
  EXPECT_THAT(recorder.tape().trouble, ElementsAre(HasSubstr("node of type 3")));
  EXPECT_THAT(recorder.tape().entries, IsEmpty());
}

TEST_F(GraphTest, AChangedNodeIsTroubleUntilTheGraphIsReadAgain) {
  instantiate();
  cuGraphExecKernelNodeSetParams_params p{exec, nullptr, nullptr};
  adapter.take({CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams, false, "cuGraphExecKernelNodeSetParams",
                nullptr, &p, CUDA_SUCCESS});
  recorder.start(nullptr);
  launch();
  EXPECT_THAT(recorder.tape().trouble, ElementsAre(HasSubstr("changed node by node")));
  cuGraphExecUpdate_v2_params again{exec, handle_of(graph), nullptr};
  adapter.take(
      {CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2, false, "cuGraphExecUpdate_v2", nullptr, &again, CUDA_SUCCESS});
  recorder.start(nullptr);
  launch();
  EXPECT_THAT(recorder.tape().trouble, IsEmpty());
  EXPECT_EQ(recorder.tape().entries.size(), 3u);
}

TEST_F(GraphTest, AGraphInAGraphIsPlayedInItsPlace) {
  Node inner{CU_GRAPH_NODE_TYPE_GRAPH};
  static Graph inside;
  inside = {{&fill}, {}};
  driver.cuGraphChildGraphNodeGetGraph = [](CUgraphNode, CUgraph* out) {
    *out = reinterpret_cast<CUgraph>(&inside);
    return CUDA_SUCCESS;
  };
  Graph outer{{&kernel, &inner}, {{&kernel, &inner}}};
  ReadGraph read = read_graph(driver, recorder, handle_of(outer));
  EXPECT_EQ(read.trouble, "");
  ASSERT_EQ(read.calls.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<FillCall>(read.calls[1]));
}

TEST_F(GraphTest, DestroyingItForgetsIt) {
  instantiate();
  cuGraphExecDestroy_params p{exec};
  adapter.take({CUPTI_DRIVER_TRACE_CBID_cuGraphExecDestroy, false, "cuGraphExecDestroy", nullptr, &p, CUDA_SUCCESS});
  recorder.start(nullptr);
  launch();
  EXPECT_THAT(recorder.tape().trouble, ElementsAre(HasSubstr("its making was not seen")));
}

}  // namespace
}  // namespace kbx::probe
