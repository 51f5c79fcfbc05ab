"""Scrapy keeps pages fresh by one number: ``ADDONS = {"scrapy_crawl_optimizer.Addon": 500}``."""

from scrapy_crawl_optimizer.addon import Addon
from scrapy_crawl_optimizer.hosts import HostDelays
from scrapy_crawl_optimizer.middleware import FreshPages

__all__ = ["Addon", "FreshPages", "HostDelays"]
