#include "exporter/web_settings.h"

#include <utility>

namespace limpet {

Result<std::optional<web::WebConfig>> LoadWeb(const Settings& settings) {
  std::optional<web::WebConfig> config;
  if (!settings.web_config_file.empty()) {
    auto loaded = web::LoadWebConfig(settings.web_config_file);
    if (!loaded) {
      return loaded.error();
    }
    config = *std::move(loaded);
  }
  // Here, where both the start and a reload come by: no moment is left in which anybody may ask.
  if (settings.probe.enabled && !web::RequiresAuthentication(config)) {
    return Error{ErrorCode::kInvalid,
                 "whoever may ask can have disks read, so expected basic_auth_users or "
                 "client_auth_type: RequireAndVerifyClientCert in the file of --web.config.file "
                 "(web.config_file)" +
                     (config ? ", " + settings.web_config_file + " has neither" : ""),
                 "probe.enabled"};
  }
  return config;
}

}  // namespace limpet
