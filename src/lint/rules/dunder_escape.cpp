// dunder_escape: Python's inner attributes, which lead from any object to everything.
#include <algorithm>
#include <array>

#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr std::array<std::string_view, 29> kEscapes = {
    "__subclasses__", "__globals__",   "__builtins__",  "__code__",     "__closure__",   "__getattribute__",
    "__mro__",        "__bases__",     "__base__",      "__loader__",   "f_back",        "f_globals",
    "f_locals",       "f_builtins",    "f_code",        "f_trace",      "gi_frame",      "gi_code",
    "cr_frame",       "cr_code",       "ag_frame",      "tb_frame",     "tb_next",       "co_code",
    "co_consts",      "cell_contents", "__reduce_ex__", "__defaults__", "__kwdefaults__"};

bool is_escape(std::string_view name) { return std::find(kEscapes.begin(), kEscapes.end(), name) != kEscapes.end(); }

void check_string_lookup(const Context& context, Report& report, const Reference& r) {
  for (const std::string& name : r.names) {
    size_t at = name == "builtins.getattr" || name == "builtins.setattr" || name == "inspect.getattr_static" ? 1
                : name == "operator.attrgetter"                                                              ? 0
                                                                                                             : 9;
    std::vector<NodeId> args = at < 2 ? context.names.arguments(r.call) : std::vector<NodeId>{};
    auto key = at < args.size() ? context.names.constant(args[at]) : std::nullopt;
    if (!key) continue;
    size_t dot = key->rfind('.');
    std::string last = dot == std::string::npos ? *key : key->substr(dot + 1);
    if (is_escape(last)) report.add(r.call, last + " leads out of the candidate's own objects");
  }
}

void check(const Context& context, Report& report) {
  const Source& source = context.source;
  for (NodeId id = 0; id < source.size(); id++) {
    if (source.kind(id) != "identifier") continue;
    std::string_view name = source.text(id);
    bool attribute = source.at(id).field == "attribute" && source.kind(source.parent(id)) == "attribute";
    bool builtin = context.scopes.is_use(id) && (name == "__builtins__" || name == "__loader__");
    if (builtin || (attribute && is_escape(name)))
      report.add(id, std::string(name) + " leads out of the candidate's own objects");
  }
  for (const Reference& r : context.references)
    if (r.call != kNoNode) check_string_lookup(context, report, r);
}

}  // namespace

constinit const Rule dunder_escape = {
    "dunder_escape",
    Severity::reject,
    "`__globals__`, `__builtins__`, `__subclasses__`, `__code__`, `__mro__`, `f_back`, `tb_frame` and their like, also "
    "through getattr",
    "they lead from any object to the interpreter's and the judge's own",
    "`__init__`, `__call__`, `__name__`, `__class__`, `super().__init__()`, the names in strings",
    check};

}  // namespace kbx::lint::rules
