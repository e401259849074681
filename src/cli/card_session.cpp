#include "cli/card_session.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/system.h"
#include "base/text.h"
#include "cli/home.h"
#include "cli/terminal.h"
#include "store/machine.h"

namespace kbx::cli {
namespace {

std::string describe(const gpu::Cards& cards) {
  std::string text;
  for (const gpu::Card& c : cards.list()) text += fmt::format("{}cuda:{} {}", text.empty() ? "" : ", ", c.index, c.name);
  return text + " · driver " + cards.list().front().driver;
}

// One target only becomes the card's; of several the card's is the first.
void lead_with(int cc, std::vector<int>& archs) {
  if (archs.size() == 1) archs.clear();
  std::erase(archs, cc);
  archs.insert(archs.begin(), cc);
}

// What each card's times are held against. What is damaged is said and left out: no verdict hangs on it.
std::map<int, eval::CardPeaks> peaks_of_cards(const gpu::Cards& cards) {
  auto files = store::MachineFiles::from_environment();
  std::map<int, eval::CardPeaks> out;
  for (const gpu::Card& c : cards.list()) {
    auto stated = store::stated_peaks(files, {c.name, c.sms, c.memory_bytes});
    if (stated) out[c.index].stated = std::move(*stated);
    else say("warning: " + stated.error().text());
    auto calibration = store::load_calibration(files, c.uuid);
    if (!calibration) say("warning: " + calibration.error().text());
    else if (*calibration) out[c.index].reached = peaks_of(**calibration);
  }
  return out;
}

// Asked for what no tool or no card can do: an Error, never silence.
Result<void> prepare_sanitizer(const Settings& settings, eval::EvalConfig& config) {
  const std::string& wish = settings.text("sanitize");
  if (wish != "on" && wish != "off") return fail(Code::usage, "sanitize must be on or off, not \"" + wish + "\"");
  if (wish == "off") return {};
  if (!config.card) return fail(Code::usage, "--sanitize needs a GPU: compute-sanitizer looks at kernels on the card");
  if (!config.replay) return fail(Code::usage, "--sanitize needs the replay: it is what compute-sanitizer looks at");
  KBX_TRY_ASSIGN(config.card->sanitizer, gpu::find_tool("compute-sanitizer", settings.text("cuda-tools")));
  return {};
}

}  // namespace

Result<void> read_device(const Settings& settings, eval::EvalConfig& config) {
  const std::string& device = settings.text("device");
  const std::string& timing = settings.text("timing");
  if (timing != "on" && timing != "off") return fail(Code::usage, "timing must be on or off, not \"" + timing + "\"");
  if (device == "cpu" || (device == "auto" && !gpu::machine_has_cards())) return {};
  eval::CardConfig card;
  if (starts_with(device, "cuda:")) {
    for (const std::string& part : split(std::string_view(device).substr(5), ',')) {
      std::string number = trim(part);
      if (number.empty() || number.size() > 2 || number.find_first_not_of("0123456789") != number.npos)
        return fail(Code::usage, "device \"" + device + "\": say cpu, cuda, cuda:N or cuda:N,M");
      card.cards.push_back(std::stoi(number));
    }
  } else if (device != "cuda" && device != "auto") {
    return fail(Code::usage, "device \"" + device + "\": say auto, cpu, cuda, cuda:N or cuda:N,M");
  }
  card.timing = timing == "on";
  config.device = device == "auto" ? "cuda" : device;
  config.card = std::move(card);
  return {};
}

Result<std::unique_ptr<CardSession>> CardSession::open(const Settings& settings, const sandbox::ZygoteFacts& facts, sandbox::ForkServer& server,
                                                       eval::EvalConfig& config, bool quiet) {
  auto session = std::make_unique<CardSession>();
  KBX_TRY(prepare_sanitizer(settings, config));
  if (!config.card) return session;
  KBX_TRY_ASSIGN(Home home, find_home());
  eval::CardConfig& card = *config.card;
  card.probe = (home.library.parent_path() / "libkbxprobe.so").string();
  card.cupti = facts.cupti;
  card.clock = {(home.library.parent_path().parent_path() / "libexec" / "kbx-clock").string(), facts.nvrtc.empty() ? "" : facts.nvrtc.front(), cache_folder()};
  auto cards = gpu::Cards::open(card.clock, card.cards);
  if (!cards) {
    if (settings.text("device") != "auto" || card.sanitizer) return tl::unexpected(std::move(cards.error()));
    say("note: judging without a GPU: " + cards.error().text());
    config.card.reset();
    config.device = "cpu";
    return session;
  }
  session->cards_ = std::move(*cards);
  if (card.cupti.empty()) say("note: no CUPTI was found beside torch or Triton: nothing is recorded, values and times are in_process");
  if (settings.entries().at("arch").origin == "default") lead_with(session->cards_->list().front().cc, config.archs);
  session->references_ = std::make_unique<eval::ReferenceTapes>(server, config);
  session->bench_.emplace(eval::CardBench{*session->cards_, *session->references_, server, peaks_of_cards(*session->cards_)});
  if (!quiet) say(describe(*session->cards_));
  return session;
}

}  // namespace kbx::cli
