"""OpenStack Swift with its S3 API, whole and in one process: proxy, account, container and object server.

Arguments: a folder of its own, the port of the S3 API, the secret of the access key test:tester. Says "ready" once it listens."""

import os
import sys

import eventlet

eventlet.patcher.monkey_patch()

from eventlet import wsgi
from swift.common import utils
from swift.common.ring import RingBuilder

home, port, secret = sys.argv[1], int(sys.argv[2]), sys.argv[3]
devices = os.path.join(home, "devices")
os.makedirs(os.path.join(devices, "disk"))


def write(name, text):
    path = os.path.join(home, name)
    with open(path, "w") as file:
        file.write(text)
    return path


write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = tests\n[storage-policy:0]\nname = one\ndefault = yes\n")
utils.set_swift_dir(home)
utils.validate_hash_conf()

from swift.common.storage_policy import reload_storage_policies
from swift.common.wsgi import SwiftHttpProtocol, loadapp

reload_storage_policies()

# On a slow machine a server that gave up on another would put off what a list has to show.
PATIENCE = "conn_timeout = 60\nnode_timeout = 60\nrecoverable_node_timeout = 60\ncontainer_update_timeout = 60\n"
COMMON = "[DEFAULT]\nswift_dir = %s\ndevices = %s\nmount_check = false\ndisable_fallocate = true\n" % (home, devices) + PATIENCE
PROXY = """[pipeline:main]
pipeline = cache s3api tempauth slo proxy-server
[filter:cache]
use = egg:swift#memcache
# Nobody is there: what tempauth would find in it are tokens, which S3 does not use.
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = %s .admin
[filter:slo]
use = egg:swift#slo
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
""" % secret


def serve(kind, text, port=0):
    """Starts one of the four and says where it listens."""
    socket = eventlet.listen(("127.0.0.1", port))
    app = loadapp(write(kind + ".conf", COMMON + text), global_conf={"log_name": kind})
    options = {"protocol": SwiftHttpProtocol, "capitalize_response_headers": False, "log_output": False}
    eventlet.spawn(wsgi.server, socket, app, **options)
    return socket.getsockname()[1]


for kind in ("account", "container", "object"):
    at = serve(kind, "[app:main]\nuse = egg:swift#%s\n" % kind)
    ring = RingBuilder(1, 1, 1)
    ring.add_dev({"id": 0, "region": 1, "zone": 1, "weight": 1, "ip": "127.0.0.1", "port": at, "device": "disk"})
    ring.rebalance()
    ring.get_ring().save(os.path.join(home, kind + ".ring.gz"))

serve("proxy", PROXY, port)
print("ready", flush=True)
# Ends with the process that started it, also when that is killed.
eventlet.tpool.execute(sys.stdin.read)
