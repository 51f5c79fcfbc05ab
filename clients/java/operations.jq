# The operation that the example uses, of the service's OpenAPI document, in words that openapi-generator gets right: it would
# have every type of every operation, takes an integer for 32 bits wide where nothing is said, and makes a map without its
# properties of an object that names additionalProperties.
def named: [.. | objects | .["$ref"]? // empty, (.mapping? // {} | .[]? | strings) | ltrimstr("#/components/schemas/")] | unique;
.components.schemas as $all
| .paths |= with_entries(select(.key == "/v1/crawler-count"))
| del(.paths[].post.requestBody.content["application/x-ndjson"])
| ([.paths, .components.responses] | named) as $first
| ({names: [], next: $first} | until(.next == [];
    .names += .next | .names as $known | .next |= ([$all[.[]]] | named - $known)) | .names) as $used
| {openapi, info, paths, components: (.components | .schemas |= with_entries(select(.key | IN($used[]))))}
| walk(if type == "object" and .type? == "integer" then .format = "int64" else . end)
| walk(if type == "object" then del(.additionalProperties) else . end)
