// page_assets.h: the files of the live page as responses.
//
// Threads: the handlers run on the web server's thread.
#pragma once

#include <span>

#include "diagnoser/page/assets.h"
#include "exporter/common/web/router.h"

namespace limpet {

// Each at its path. Without assets nothing is added.
void AddAssets(web::Router& router, std::span<const Asset> assets);
// The same of the live page, and /ui, which leads to "/".
void AddPage(web::Router& router, std::span<const Asset> assets);

}  // namespace limpet
