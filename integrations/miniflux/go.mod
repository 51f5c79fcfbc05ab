module crawl-optimizer.example/miniflux

go 1.24.0

require miniflux.app/v2 v2.2.10
