// web_settings.h: the file that `web.config_file` names, and what other settings ask of it.
//
// Errors:  as LoadWebConfig has them, and a probe that nobody would have to show a password for.
// Threads: any; reads the file.
#pragma once

#include <optional>

#include "exporter/common/result.h"
#include "exporter/common/web/web_config.h"
#include "exporter/config.h"

namespace limpet {

// nullopt: there is none.
[[nodiscard]] Result<std::optional<web::WebConfig>> LoadWeb(const Settings& settings);

}  // namespace limpet
