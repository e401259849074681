// TTIR text -> Program.
#include <algorithm>

#include "base/check.h"
#include "ir/lowering.h"
#include "ir/machine.h"
#include "ir/reader.h"

namespace kbx::ir {

Program::Program(std::unique_ptr<const MachineCode> code) : code_(std::move(code)) { KBX_CHECK(code_ != nullptr); }
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

size_t Program::argument_count() const { return code_->arguments.size(); }
Kind Program::argument_kind(size_t index) const {
  KBX_CHECK(index < argument_count());
  return code_->arguments[index].kind;
}
int64_t Program::argument_divisibility(size_t index) const {
  KBX_CHECK(index < argument_count());
  return code_->arguments[index].divisibility;
}

Result<Program> compile(std::string_view ttir) {
  KBX_TRY_ASSIGN(Module module, read_module(ttir));
  auto code = std::make_unique<MachineCode>();
  KBX_TRY(Lowering(module, *code).run());
  auto is_kernel = [](const Op& f) { return f.text("sym_visibility") == "\"public\""; };
  auto kernel = std::find_if(module.functions.begin(), module.functions.end(), is_kernel);
  if (kernel != module.functions.end()) code->kernel = module.locations.find(kernel->loc);
  code->locations = std::move(module.locations);
  code->text = std::move(module.text);
  for (const Place& p : code->places) code->lines.push_back(code->locations.find(p.loc));
  return Program(std::move(code));
}

}  // namespace kbx::ir
