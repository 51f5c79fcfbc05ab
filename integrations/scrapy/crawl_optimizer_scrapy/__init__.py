"""Scrapy follows plans of crawl-optimizer, and keeps the log that the next plan is made from."""

from crawl_optimizer_scrapy.log import CrawlLogExtension
from crawl_optimizer_scrapy.plan import PlannedFetch, read_plan
from crawl_optimizer_scrapy.spider import PlannedSpiderMixin

__all__ = ["CrawlLogExtension", "PlannedFetch", "PlannedSpiderMixin", "read_plan"]
