// The text of inline assembly -> steps. Everything that is not known is refused: an instruction, a modifier, an operand
// of another width than its register, a register read before it is written.
#include <algorithm>
#include <bit>
#include <unordered_map>

#include "ir/asm_code.h"
#include "ir/scan_text.h"

namespace kbx::ir {
namespace {

constexpr size_t kMaxText = 8192, kMaxSteps = 256, kMaxRegisters = 1024;

// MLIR's escapes: two hexadecimal digits after a backslash, or the character itself.
std::string plain_text(std::string_view text) {
  std::string out;
  auto digit = [](char c) { return is_digit(c) ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; };
  for (size_t k = 0; k < text.size(); k++) {
    if (text[k] != '\\') {
      out += text[k];
    } else if (k + 2 < text.size() && digit(text[k + 1]) >= 0 && digit(text[k + 2]) >= 0) {
      out += static_cast<char>(digit(text[k + 1]) * 16 + digit(text[k + 2]));
      k += 2;
    } else if (k + 1 < text.size()) {
      out += text[++k];
    }
  }
  return out;
}
std::string without_comments(std::string_view text) {
  std::string out;
  for (size_t k = 0; k < text.size();) {
    std::string_view rest = text.substr(k);
    std::string_view close = rest.starts_with("//") ? "\n" : rest.starts_with("/*") ? "*/" : "";
    out += close.empty() ? rest[0] : ' ';
    size_t end = close.empty() ? 0 : rest.find(close, 2);
    k = end == rest.npos ? text.size() : k + std::max<size_t>(1, end + close.size());
  }
  return out;
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t k = 0; k <= text.size(); k++) {
    if (k < text.size() && text[k] == '{') depth++;
    if (k < text.size() && text[k] == '}') depth--;
    if (k < text.size() && (text[k] != by || depth > 0)) continue;
    parts.push_back(strip(text.substr(begin, k - begin)));
    begin = k + 1;
  }
  return parts;
}

struct Register {
  uint16_t number = 0;
  uint8_t bits = 32;
  bool written = false;
};

class Parser {
 public:
  Parser(AsmCode& code, std::string& why) : code_(code), why_(why) {}

  bool parse(std::string_view text, std::string_view constraints) {
    if (!bind(constraints)) return false;
    std::string plain = without_comments(plain_text(text));
    std::string_view rest = plain;
    while (!rest.empty()) {
      // A brace that opens or closes a scope stands where a statement begins.
      rest = strip(rest);
      if (rest.starts_with('{') || rest.starts_with('}')) {
        rest.remove_prefix(1);
        continue;
      }
      size_t end = rest.find(';');
      std::string_view one = strip(rest.substr(0, end));
      rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
      if (!one.empty() && !statement(one)) return false;
    }
    for (AsmPort& p : code_.outputs) p.written = ports_[p.reg].written;
    return true;
  }

 private:
  bool refuse(std::string_view why, std::string_view text) {
    if (!why_.empty()) return false;
    why_ = why;
    why_ += ' ';
    why_ += text.substr(0, 60);
    return false;
  }
  bool new_register(uint8_t bits, Register& r) {
    if (code_.registers.size() >= kMaxRegisters) return refuse("too many registers", "");
    r = {static_cast<uint16_t>(code_.registers.size()), bits, false};
    code_.registers.push_back(0);
    return true;
  }

  // "=r,=r,r": outputs first. The ports' registers are $0, $1, ..
  bool bind(std::string_view constraints) {
    auto parts = split(constraints, ',');
    if (parts.size() != code_.inputs.size() + code_.outputs.size())
      return refuse("the number of constraints", constraints);
    for (size_t k = 0; k < parts.size(); k++) {
      bool out = k < code_.outputs.size();
      AsmPort& port = out ? code_.outputs[k] : code_.inputs[k - code_.outputs.size()];
      std::string_view letter = parts[k];
      if (letter.starts_with('=') != out) return refuse("the constraint", parts[k]);
      if (out) letter.remove_prefix(letter.starts_with("=&") ? 2 : 1);
      uint8_t bits = letter == "h" ? 16 : letter == "r" || letter == "f" ? 32 : letter == "l" || letter == "d" ? 64 : 0;
      if (bits == 0 || bits != 8 * memory_bytes(port.kind) * port.count) return refuse("the constraint", parts[k]);
      Register r;
      if (!new_register(bits, r)) return false;
      r.written = !out;
      port.reg = r.number;
      ports_.push_back(r);
    }
    return true;
  }

  // ".reg .b32 a<2>, b"
  bool declare(std::string_view text) {
    size_t space = text.find_first_of(" \t");
    std::string_view type = text.substr(0, space);
    uint64_t bits = 1;
    if (type != ".pred" && (type.size() < 3 || scan_unsigned(type.substr(2), bits) + 2 != type.size())) bits = 0;
    if ((bits != 1 && bits != 16 && bits != 32 && bits != 64) || space == text.npos)
      return refuse("the declaration", text);
    for (std::string_view name : split(text.substr(space), ',')) {
      uint64_t count = 0;
      size_t open = name.find('<');
      if (open != name.npos) {
        size_t used = scan_unsigned(name.substr(open + 1), count);
        if (used == 0 || count > kMaxRegisters || name.substr(open + 1 + used) != ">")
          return refuse("the declaration", name);
      }
      std::string base(name.substr(0, open));
      for (uint64_t k = 0; k < (open == name.npos ? 1 : count); k++) {
        Register r;
        if (!new_register(static_cast<uint8_t>(bits), r)) return false;
        std::string full = base;
        if (open != name.npos) full += std::to_string(k);
        names_[full] = r;
      }
    }
    return true;
  }

  Register* find(std::string_view name) {
    uint64_t number = 0;
    if (name.starts_with('$')) {
      bool whole = scan_unsigned(name.substr(1), number) + 1 == name.size() && name.size() > 1;
      return whole && number < ports_.size() ? &ports_[number] : nullptr;
    }
    auto found = names_.find(std::string(name));
    return found == names_.end() ? nullptr : &found->second;
  }
  // A constant: 12, -1, 0x1F, 0f3F800000, 0d.., and 1.5 where the instruction computes in f32 or f64.
  std::optional<uint64_t> constant(std::string_view text, std::string_view type, uint8_t bits) {
    uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    if (text.starts_with("0f") || text.starts_with("0F") || text.starts_with("0d") || text.starts_with("0D")) {
      bool wide = text[1] == 'd' || text[1] == 'D';
      if (bits != (wide ? 64 : 32) || text.size() != (wide ? 18u : 10u)) return std::nullopt;
      std::string hex = "0x";
      hex += text.substr(2);
      return scan_hex(hex);
    }
    if (type.ends_with(".f32") || type.ends_with(".f64")) {
      auto value = text.find('.') == text.npos ? std::nullopt : scan_double(text);
      if (!value) return std::nullopt;
      return bits == 64 ? std::bit_cast<uint64_t>(*value) : std::bit_cast<uint32_t>(static_cast<float>(*value));
    }
    if (type.find("f16") != type.npos) return std::nullopt;
    if (auto hex = scan_hex(text)) return *hex & mask;
    if (auto number = text.find(':') == text.npos ? scan_integer(text) : std::nullopt)
      return static_cast<uint64_t>(*number) & mask;
    return std::nullopt;
  }
  bool source(std::string_view text, std::string_view op, uint8_t bits, AsmStep& step) {
    if (Register* r = find(text)) {
      if (r->bits != bits) return refuse("the width of an operand of", op);
      if (!r->written) return refuse("a register that was not written:", text);
      step.in.push_back(r->number);
      return true;
    }
    bool moves_bits = op.starts_with("mov.") || op.starts_with("selp.");
    auto value = constant(text, moves_bits && text.starts_with("0x") ? ".b" : op, bits);
    if (!value) return refuse("the operand", text);
    Register r;
    if (!new_register(bits, r)) return false;
    code_.registers[r.number] = *value;
    step.in.push_back(r.number);
    return true;
  }
  bool target(std::string_view text, std::string_view op, uint8_t bits, AsmStep& step) {
    Register* r = find(text);
    if (!r) return refuse("the result", text);
    bool is_input = text.starts_with('$') && r >= ports_.data() + code_.outputs.size();
    if (r->bits != bits || is_input) return refuse("the result of", op);
    if (step.guard >= 0 && !r->written) return refuse("a register that may not be written:", text);
    r->written = true;
    step.out.push_back(r->number);
    return true;
  }

  // "mov.b32 {c0, c1}, a0" and back.
  bool move_parts(std::string_view op, const std::vector<std::string_view>& operands, AsmStep& step) {
    bool apart = operands[0].starts_with('{');
    std::string_view list = apart ? operands[0] : operands[1];
    if (operands.size() != 2 || list.size() < 2 || !list.ends_with('}')) return refuse("the operands of", op);
    auto parts = split(list.substr(1, list.size() - 2), ',');
    uint32_t whole = op == "mov.b32" ? 32 : op == "mov.b64" ? 64 : 0;
    uint32_t part = whole / static_cast<uint32_t>(parts.size());
    if (whole == 0 || (part != 16 && part != 32) || part * parts.size() != whole) return refuse("the operands of", op);
    step.bits = static_cast<uint8_t>(apart ? part : whole);
    if (apart) {
      step.run = [](const uint64_t* v) { return v[0]; };
      if (!source(operands[1], op, static_cast<uint8_t>(whole), step)) return false;
      for (auto p : parts)
        if (!target(p, op, step.bits, step)) return false;
      return true;
    }
    step.run = find_join(part);
    for (auto p : parts)
      if (!source(p, op, static_cast<uint8_t>(part), step)) return false;
    return target(operands[0], op, step.bits, step);
  }

  // The name in the table: of what is left out, only .ftz means anything here.
  bool name_of(std::string_view op, AsmStep& step, std::string& name) {
    for (std::string_view part : split(op, '.')) {
      bool is_cvt = op.starts_with("cvt.");
      if (part == "ftz") {
        if (!op.ends_with(".f32")) return refuse("the instruction", op);
        step.flush = true;
      } else if (is_cvt || (part != "rn" && part != "approx" && part != "full")) {
        if (!name.empty()) name += '.';
        name += part;
      }
    }
    return true;
  }

  bool statement(std::string_view text) {
    if (text.starts_with(".reg") && text.size() > 4 && is_space(text[4])) return declare(strip(text.substr(4)));
    if (code_.steps.size() >= kMaxSteps) return refuse("too many instructions", "");
    AsmStep step;
    if (text.starts_with('@')) {
      size_t space = std::min(text.find_first_of(" \t\n"), text.size());
      step.unless = text.starts_with("@!");
      Register* p = find(text.substr(step.unless ? 2 : 1, space - (step.unless ? 2 : 1)));
      if (!p || p->bits != 1 || !p->written) return refuse("the predicate of", text);
      step.guard = p->number;
      text = strip(text.substr(space));
    }
    size_t space = std::min(text.find_first_of(" \t\n"), text.size());
    std::string_view op = text.substr(0, space);
    std::vector<std::string_view> operands;
    if (!strip(text.substr(space)).empty()) operands = split(strip(text.substr(space)), ',');
    if (operands.size() == 2 && (operands[0].starts_with('{') || operands[1].starts_with('{'))) {
      if (!move_parts(op, operands, step)) return false;
      code_.steps.push_back(std::move(step));
      return true;
    }
    std::string name;
    if (!name_of(op, step, name)) return false;
    const AsmRow* row = find_asm(name);
    if (!row) return refuse("the instruction", op);
    if (operands.size() != row->in.size() + (row->out > 0)) return refuse("the operands of", op);
    step.run = row->run;
    step.bits = row->out;
    for (size_t k = 0; k < row->in.size(); k++)
      if (!source(operands[k + 1], name, row->in[k], step)) return false;
    if (row->out > 0) {
      auto targets = split(operands[0], '|');
      if (targets.size() != (name.starts_with("setp.") && name.ends_with("x2") ? 2u : 1u))
        return refuse("the results of", op);
      for (auto t : targets)
        if (!target(t, op, row->out, step)) return false;
    }
    code_.steps.push_back(std::move(step));
    return true;
  }

  AsmCode& code_;
  std::string& why_;
  std::vector<Register> ports_;  // outputs, then inputs
  std::unordered_map<std::string, Register> names_;
};

}  // namespace

bool parse_asm(std::string_view text, std::string_view constraints, AsmCode& code, std::string& why) {
  if (text.size() > kMaxText || constraints.size() > kMaxText) return why = "too long", false;
  return Parser(code, why).parse(text, constraints);
}

}  // namespace kbx::ir
