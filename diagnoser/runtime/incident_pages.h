// incident_pages.h: the paths of the API about incidents that the history keeps.
//
//   GET  /api/v1/incidents?from=&to=&node=&limit=&before=    GET /api/v1/incidents/{id}
//   POST /api/v1/incidents/{id}/answer                GET /api/v1/precision
//
// An answer changes what people see, so it is taken only where the server knows who asks, and never
// from the page of another site.
// Threads: handlers run on the web server's thread; their answers are made on the keeper's.
#pragma once

#include <span>
#include <string>

#include "diagnoser/runtime/incident_keeper.h"
#include "exporter/common/web/router.h"

namespace limpet {

// The keeper must outlive the handlers.
void AddIncidentPages(web::Router& router, IncidentKeeper& keeper, const Clock& clock);

// Reads a POST, or says what is wrong with it. `user`: of the password, who answers unless the body
// names somebody.
[[nodiscard]] Result<IncidentAnswer> ParseAnswer(std::string_view incident, std::string_view body,
                                                 const std::string& user, UnixTime now);
// nullopt: none, for as long as the incident lasts. "2h", or Unix seconds.
[[nodiscard]] Result<std::optional<UnixTime>> ParseUntil(std::string_view text, UnixTime now);
// An error: the kind of answer and its end do not go together.
[[nodiscard]] Result<void> CheckAnswer(const IncidentAnswer& answer);

}  // namespace limpet
