// Record <-> JSON, the form in which the store keeps it. Fields may be added, never renamed.
#pragma once
#include "base/json.h"
#include "model/record.h"

namespace kbx::store {

Json to_json(const Record& record);
Result<Record> record_from_json(const Json& json);

}  // namespace kbx::store
