"""The one setting: puts the middleware where it sees what came of every request, after retries and redirects.

That of hosts' delays sees every try, so it stands before retries.
"""

MIDDLEWARE = "scrapy_crawl_optimizer.middleware.FreshPages"
DELAYS = "scrapy_crawl_optimizer.hosts.HostDelays"


class Addon:
    def update_settings(self, settings):
        middlewares = settings.getdict("DOWNLOADER_MIDDLEWARES")
        middlewares.setdefault(MIDDLEWARE, 50)
        middlewares.setdefault(DELAYS, 590)
        settings.set("DOWNLOADER_MIDDLEWARES", middlewares, priority="addon")
