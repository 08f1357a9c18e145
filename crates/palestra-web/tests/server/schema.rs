//! Compares JSON with a schema of an OpenAPI document, as far as ours use JSON Schema.

use serde_json::Value;

/// Where a value is not what a schema describes.
pub(crate) fn violations(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut found = vec![];
    check(document, schema, value, "", &mut found);
    found
}

fn check(document: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(address) = schema["$ref"].as_str() {
        let target = document.pointer(address.strip_prefix('#').unwrap());
        return check(document, target.unwrap_or_else(|| panic!("no {address}")), value, at, found);
    }
    for all in schema["allOf"].as_array().into_iter().flatten() {
        check(document, all, value, at, found);
    }
    for of in ["oneOf", "anyOf"] {
        if let Some(some) = schema[of].as_array() {
            let fits = |schema: &&Value| violations(document, schema, value).is_empty();
            if some.iter().filter(fits).count() == 0 {
                found.push(format!("{at}: {value} is none of {of}"));
            }
        }
    }
    if !is_of_type(&schema["type"], value) {
        found.push(format!("{at}: {value} is no {}", schema["type"]));
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        found.push(format!("{at}: {value} is none of {words:?}"));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.is_object() && value.get(name).is_none() {
            found.push(format!("{at}: no {name}"));
        }
    }
    if let (Some(properties), Some(fields)) = (schema["properties"].as_object(), value.as_object()) {
        for (name, field) in fields {
            match properties.get(name) {
                Some(schema) => check(document, schema, field, &format!("{at}/{name}"), found),
                None => found.push(format!("{at}: {name} is not described")),
            }
        }
    }
    if let Some(items) = schema.get("items") {
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            check(document, items, item, &format!("{at}/{index}"), found);
        }
    }
}

fn is_of_type(kind: &Value, value: &Value) -> bool {
    let is = |kind: &str| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("no such type: {other}"),
    };
    match kind {
        Value::String(kind) => is(kind),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).any(is),
        _ => true,
    }
}
