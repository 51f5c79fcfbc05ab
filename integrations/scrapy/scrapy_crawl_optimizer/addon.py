"""The one setting: puts the middleware where it sees what came of every request, after retries and redirects."""

MIDDLEWARE = "scrapy_crawl_optimizer.middleware.FreshPages"


class Addon:
    def update_settings(self, settings):
        middlewares = settings.getdict("DOWNLOADER_MIDDLEWARES")
        middlewares.setdefault(MIDDLEWARE, 50)
        settings.set("DOWNLOADER_MIDDLEWARES", middlewares, priority="addon")
