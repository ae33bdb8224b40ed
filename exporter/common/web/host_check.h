// host_check.h: is a request meant for this server, by its Host field?
//
// A page of another site may have its own name resolve to our address, and so read as its own what
// a server without passwords tells everybody (DNS rebinding). It cannot choose the Host field: that
// is the site's name. Names that are no site's are answered: loopback names, addresses, those of
// the machine, and those that the configuration lists.
// Threads: pure but for OwnHostNames, which reads the machine's name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limpet::web {

// The name without port and brackets, in lower case, without a final dot: "[::1]:9837" → "::1".
[[nodiscard]] std::string HostName(std::string_view field);

// `field`: of the request, "io01:9837"; empty where HTTP/1.0 sends none. `names` as HostName has
// them; "*" is every name.
[[nodiscard]] bool IsAllowedHost(std::string_view field, std::span<const std::string> names);

// The machine's name, its first part, and that with each domain which /etc/resolv.conf searches.
[[nodiscard]] std::vector<std::string> OwnHostNames();
// The same of what these say.
[[nodiscard]] std::vector<std::string> HostNamesOf(std::string_view host,
                                                   std::string_view resolv_conf);

}  // namespace limpet::web
