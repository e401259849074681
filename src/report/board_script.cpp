// The first page's template and script: see the header.
#include "report/board_script.h"

#include "report/dom.h"
#include "report/facts.h"
#include "report/leaderboard.h"
#include "report/page_form.h"
#include "report/plot.h"
#include "report/ranking.h"
#include "report/theme.h"
#include "report/verdicts.h"

namespace kbx::report {

std::string_view board_shell() { return kLeaderboardHtml; }
std::string board_script() { return page_script({kDomJs, kVerdictsJs, kFactsJs, kPlotJs, kThemeJs, kRankingJs}); }

}  // namespace kbx::report
