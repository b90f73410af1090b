"""Keys and certificates for tests, made by openssl in a folder of their own."""
import os
import subprocess


def openssl(*args, data=None):
    """What openssl prints."""
    return subprocess.run(["openssl", *args], input=data, check=True, capture_output=True).stdout


def certificate(folder, name="server", names="IP:127.0.0.1,DNS:localhost"):
    """The paths of a self-signed certificate, for localhost by default, and of its key."""
    cert, key = os.path.join(folder, name + ".pem"), os.path.join(folder, name + ".key")
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-keyout", key,
            "-out", cert, "-subj", "/CN=localhost", "-addext", "subjectAltName=" + names)
    return cert, key
