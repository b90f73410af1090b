"""examples/fleet: that the programs which read its files take them."""
import os
import subprocess
import unittest

from support.case import main
from support.fleet import EXAMPLE, program


class HaProxyFile(unittest.TestCase):
    def check(self, **environment):
        found = subprocess.run([program("haproxy"), "-c", "-f", EXAMPLE], env={**os.environ, **environment}, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, check=False)
        # Debian's package says "Configuration file is valid" and its version; warnings would stand between.
        self.assertEqual((found.returncode, "WARNING" in found.stdout), (0, False), found.stdout)

    @unittest.skipUnless(program("haproxy"), "HAProxy is not installed")
    def test_the_configuration(self):
        self.check()
        self.check(FLEET_BIND=":8931", FLEET_SOCKET="/run/haproxy/fleet.sock", FLEET_DOMAIN="nodes.browserd.svc.cluster.local")


if __name__ == "__main__":
    main()
