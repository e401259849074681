#include "generate/call_key.h"

#include "base/hash.h"

namespace kbx::generate {

Json canonical_request(const ChatRequest& request) {
  Json out = chat_request_json(request);
  for (const char* key : {"id", "prompt", "system_stable"}) out.erase(key);
  if (auto messages = out.find("messages"); messages != out.end())
    for (Json& m : *messages) m.erase("stable");
  return out;
}

std::string call_key(const ChatRequest& request, const std::string& vendor_id) {
  return FieldHash().add(dump_json(canonical_request(request))).add(vendor_id).add(to_text(request.id)).hex();
}

}  // namespace kbx::generate
