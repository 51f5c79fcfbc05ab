module crawl-optimizer.example/miniflux

go 1.24.0

require miniflux.app/v2 v2.2.10

require crawl-optimizer.example/client v0.0.0

// One clone: the price is the Go client's.
replace crawl-optimizer.example/client => ../../clients/go
