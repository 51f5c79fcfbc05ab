module crawl-optimizer.example/client

go 1.22
