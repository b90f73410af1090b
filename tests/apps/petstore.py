"""An API with its description in OpenAPI, for Swagger UI."""
import json
import threading

from support.pages import Response

KEY = "sesame-17"
SPEC = {
    "openapi": "3.0.3", "info": {"title": "Pet shop", "version": "1.0"},
    "components": {
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
        "schemas": {"Pet": {"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string", "example": "doggie"}, "kind": {"type": "string", "enum": ["cat", "dog"]}}}}},
    "paths": {
        "/api/pets": {
            "get": {"summary": "Lists pets", "operationId": "listPets", "tags": ["pets"], "parameters": [
                {"name": "kind", "in": "query", "schema": {"type": "string", "enum": ["cat", "dog"]}},
                {"name": "starts", "in": "query", "schema": {"type": "string"}}],
                "responses": {"200": {"description": "The pets"}}},
            "post": {"summary": "Adds a pet", "operationId": "addPet", "tags": ["pets"], "requestBody": {"required": True, "content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}},
                "responses": {"201": {"description": "Added"}}}},
        "/api/remove": {"post": {"summary": "Removes a pet", "operationId": "removePet", "tags": ["office"], "security": [{"key": []}],
                                 "parameters": [{"name": "name", "in": "query", "required": True, "schema": {"type": "string"}}],
                                 "responses": {"200": {"description": "Removed"}, "401": {"description": "No key"}}}}}}


class Petstore:
    """`pages` serves it."""

    def __init__(self, pages):
        self._lock = threading.Lock()
        pages.route("/openapi.json", Response(json.dumps(SPEC), content_type="application/json"))
        pages.route("/api/pets", self._pets)
        pages.route("/api/remove", self._remove)
        self.reset()

    def reset(self):
        with self._lock:
            self.pets = [{"name": "Tom", "kind": "cat"}, {"name": "Rex", "kind": "dog"}, {"name": "Tiger", "kind": "cat"}]
            self.listed = []

    def names(self):
        return [pet["name"] for pet in self.pets]

    @staticmethod
    def _answer(value, status=200):
        return Response(json.dumps(value), status=status, content_type="application/json")

    def _pets(self, request):
        with self._lock:
            if request.method == "POST":
                pet = json.loads(request.body)
                self.pets.append(pet)
                return self._answer({"added": pet["name"], "count": len(self.pets)}, 201)
            self.listed.append(request.query)
            return self._answer([pet for pet in self.pets if pet["kind"] == request.query.get("kind", pet["kind"])
                                 and pet["name"].startswith(request.query.get("starts", ""))])

    def _remove(self, request):
        if request.headers.get("X-Key") != KEY:
            return self._answer({"error": "no key"}, 401)
        with self._lock:
            self.pets = [pet for pet in self.pets if pet["name"] != request.query["name"]]
            return self._answer({"left": len(self.pets)})
