#include "store/effort.h"

#include "store/generation.h"
#include "store/sqlite.h"

namespace kbx::store {

Result<void> each_effort(const Store& store, const std::function<void(const EffortRow&)>& visit) {
  KBX_TRY_ASSIGN(Generation generation, Generation::open_for_reading(store));
  if (generation.empty()) return {};
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(store.connection(),
                                                 "SELECT seq, task, 1, tokens_in, tokens_out, estimated, usd, seconds, 0.0, '' FROM call UNION ALL "
                                                 "SELECT seq, task, 0, 0, 0, 0, NULL, seconds, gpu_seconds, candidate FROM evaluation ORDER BY 1"));
  for (;;) {
    KBX_TRY_ASSIGN(bool row, s.step());
    if (!row) return {};
    EffortRow r;
    r.task = s.view(1);
    r.call = s.integer(2) != 0;
    r.tokens_in = s.integer(3);
    r.tokens_out = s.integer(4);
    r.estimated = s.integer(5) != 0;
    if (!s.null(6)) r.usd = s.real(6);
    r.seconds = s.real(7);
    r.gpu_seconds = s.real(8);
    r.candidate = s.view(9);
    visit(r);
  }
}

}  // namespace kbx::store
