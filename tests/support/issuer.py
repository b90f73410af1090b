"""An issuer of OAuth access tokens: keys made and used by openssl, tokens as a test wants them, and its JWKS over HTTP."""
import base64
import hashlib
import hmac
import http.server
import json
import os
import socket
import ssl
import threading
import time

from support.keys import openssl

NAME = "https://issuer.example"


def url64(data):
    """base64url without padding."""
    return base64.urlsafe_b64encode(data if isinstance(data, bytes) else json.dumps(data).encode()).rstrip(b"=").decode()


class Key:
    """A key of one of the kinds RS256, PS256, ES256, EdDSA."""

    KINDS = {"RS256": ("RSA", "rsa_keygen_bits:2048"), "PS256": ("RSA", "rsa_keygen_bits:2048"),
             "ES256": ("EC", "ec_paramgen_curve:P-256"), "EdDSA": ("ED25519", None)}

    def __init__(self, folder, alg, kid, bits=None):
        self.alg, self.kid, self.path = alg, kid, os.path.join(folder, kid + ".key")
        algorithm, option = self.KINDS[alg]
        option = f"rsa_keygen_bits:{bits}" if bits else option
        openssl("genpkey", "-algorithm", algorithm, *(["-pkeyopt", option] if option else []), "-out", self.path)

    def public(self):
        """The public key as DER."""
        return openssl("pkey", "-in", self.path, "-pubout", "-outform", "DER")

    def jwk(self):
        """The public key as the issuer shows it."""
        common = {"kid": self.kid, "use": "sig", "alg": self.alg}
        if self.alg == "ES256":
            point = self.public()[-64:]
            return {**common, "kty": "EC", "crv": "P-256", "x": url64(point[:32]), "y": url64(point[32:])}
        if self.alg == "EdDSA":
            return {**common, "kty": "OKP", "crv": "Ed25519", "x": url64(self.public()[-32:])}
        modulus = openssl("rsa", "-in", self.path, "-noout", "-modulus").decode().strip().partition("=")[2]
        return {**common, "kty": "RSA", "n": url64(bytes.fromhex(modulus)), "e": "AQAB"}

    def sign(self, data):
        """The signature as a JWT has it."""
        if self.alg == "EdDSA":
            path = self.path + ".data"
            with open(path, "wb") as file:
                file.write(data)
            return openssl("pkeyutl", "-sign", "-inkey", self.path, "-rawin", "-in", path)
        padding = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32"] if self.alg == "PS256" else []
        signature = openssl("dgst", "-sha256", "-sign", self.path, *padding, data=data)
        return raw(signature) if self.alg == "ES256" else signature


def raw(der):
    """The two numbers of an ECDSA signature, side by side."""
    length = der[3]
    return b"".join(int.from_bytes(number, "big").to_bytes(32, "big") for number in (der[4:4 + length], der[6 + length:]))


class Issuer:
    """One issuer with keys. What is not given in a token is as it should be."""

    def __init__(self, folder, audience):
        self.folder, self.audience = folder, audience
        self.keys = [Key(folder, alg, "key-" + alg) for alg in Key.KINDS]

    def key(self, alg):
        return next(key for key in self.keys if key.alg == alg)

    def jwks(self):
        return {"keys": [key.jwk() for key in self.keys]}

    def write(self, name="jwks.json", jwks=None):
        """The path of a file with the keys; it is replaced whole."""
        path = os.path.join(self.folder, name)
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(jwks or self.jwks(), file)
        os.replace(path + ".new", path)
        return path

    def claims(self, **more):
        now = int(time.time())
        claims = {"iss": NAME, "aud": self.audience, "sub": "ann", "exp": now + 600, "nbf": now - 1, "iat": now,
                  "scope": "openid browser:act", **more}
        return {name: value for name, value in claims.items() if value is not None}

    def token(self, alg="ES256", key=None, header=None, **claims):
        key = key or self.key(alg)
        header = {"alg": key.alg, "kid": key.kid, "typ": "at+jwt", **(header or {})}
        header = {name: value for name, value in header.items() if value is not None}
        signed = f"{url64(header)}.{url64(self.claims(**claims))}"
        return f"{signed}.{url64(key.sign(signed.encode()))}"

    def forged(self, header, secret=None, **claims):
        """A token with another signature: none, or an HMAC with this secret."""
        signed = f"{url64(header)}.{url64(self.claims(**claims))}"
        return f"{signed}.{url64(hmac.new(secret, signed.encode(), hashlib.sha256).digest()) if secret else ''}"


class KeyServer:
    """Serves what `answer(path)` gives (bytes; None: nothing is there), and counts how often it was asked."""

    def __init__(self, answer, tls=None, host="localhost"):
        self.asked, server = threading.Semaphore(0), self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = answer(self.path)
                server.asked.release()
                self.send_response(404 if body is None else 200)
                body = body or b""
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            address_family = socket.AF_INET6 if ":" in host else socket.AF_INET

        self.http = Server((host if ":" in host else "127.0.0.1", 0), Handler)
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            self.http.socket = context.wrap_socket(self.http.socket, server_side=True)
        name = f"[{host}]" if ":" in host else host
        self.origin = f"{'https' if tls else 'http'}://{name}:{self.http.server_port}"
        self.url = self.origin + "/keys"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()
