"""Runs the statements that come on stdin, one JSON object a line, on a Spark cluster; answers likewise on stdout.

python spark_client.py spark://HOST:PORT FOLDER: the folder of partitions becomes the view `pages`.
"""
import json
import sys
import threading
import time

from pyspark.sql import SparkSession


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main():
    master, folder = sys.argv[1:]
    spark = (
        SparkSession.builder.master(master)
        .config("spark.driver.memory", "512m")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.executor.memory", "512m")
        .config("spark.executor.cores", "1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )
    context = spark.sparkContext
    context.setLogLevel("ERROR")
    spark.read.parquet(folder).createOrReplaceTempView("pages")
    executors = lambda: context._jsc.sc().getExecutorMemoryStatus().size() - 1
    while executors() < 2:
        time.sleep(0.1)
    say({"executors": executors()})
    for line in sys.stdin:
        request = json.loads(line)
        result = {}

        def run():
            try:
                result["rows"] = [row.asDict() for row in spark.sql(request["statement"]).collect()]
            except Exception as error:
                result["error"] = str(error)[:2000]

        thread = threading.Thread(target=run)
        thread.start()
        tracker = context.statusTracker()
        told = not request.get("announce", False)
        while not told and thread.is_alive():
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            told = sum(stage.numActiveTasks for stage in stages if stage) >= 2
            if told:
                say({"running": True})
            time.sleep(0.02)
        thread.join()
        say({**result, "executors": executors()})


main()
