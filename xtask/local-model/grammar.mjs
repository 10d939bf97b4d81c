// A grammar (GBNF) that lets a model write nothing but one call of an allowed tool. Pure.

import { spacedJson } from "./template.mjs";

const LITERALS = `
string ::= "\\"" char* "\\""
char ::= [^"\\\\\\x7F\\x00-\\x1F] | "\\\\" (["\\\\bfnrt/] | "u" [0-9a-fA-F]{4})
integer ::= "-"? ("0" | [1-9] [0-9]{0,15})
number ::= integer ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,3})?
boolean ::= "true" | "false"
null ::= "null"
value ::= object | array | string | number | boolean | null
object ::= "{" (string ": " value (", " string ": " value)*)? "}"
array ::= "[" (value (", " value)*)? "]"
`;

const TYPES = ["string", "integer", "number", "boolean", "null", "object", "array"];

/** Repetitions above this many are not counted: the grammar would grow with them. */
const REPEATED_MAX = 64;

/** The grammar of `{"name": "…", "arguments": {…}}` for any one of the tools, arguments by their schema. */
export function callGrammar(tools) {
  const rules = new Rules();
  const calls = tools.map(({ function: { name, parameters } }, at) => {
    const root = parameters ?? {};
    const args = isOpen(root) ? "object" : rules.of(root, root, `t${at}`);
    return rules.add(`t${at}-call`, `${quoted(`{"name": ${JSON.stringify(name)}, "arguments": `)} ${args} "}"`);
  });
  return `root ::= ${calls.join(" | ")}\n${rules.text()}${LITERALS}`;
}

/** Says whether a schema tells nothing about the members of an object. */
function isOpen(schema) {
  const says = ["properties", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"];
  return !says.some((keyword) => schema[keyword] !== undefined);
}

/** JSON text as a literal of the grammar. Only `"` and `\` need an escape: JSON text has no control characters. */
function quoted(text) {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

const json = (value) => quoted(spacedJson(value));

class Rules {
  #bodies = new Map();
  #references = new Map();

  add(name, body) {
    this.#bodies.set(name, body);
    return name;
  }

  text() {
    return [...this.#bodies].map(([name, body]) => `${name} ::= ${body}\n`).join("");
  }

  /** The name of a rule for `schema`, which is part of `root`. What is not understood may be any value. */
  of(schema, root, name) {
    if (schema === null || typeof schema !== "object") return "value";
    if (typeof schema.$ref === "string") return this.#reference(schema.$ref, root, name);
    if (schema.const !== undefined) return this.add(name, json(schema.const));
    if (Array.isArray(schema.enum)) return this.add(name, schema.enum.map(json).join(" | "));
    const several = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(several)) return this.#any(several, root, name);
    if (Array.isArray(schema.allOf)) {
      return schema.allOf.length === 1 ? this.of(schema.allOf[0], root, name) : "value";
    }
    if (Array.isArray(schema.type)) {
      return this.#any(schema.type.map((type) => ({ ...schema, type })), root, name);
    }
    const hasMembers = schema.properties !== null && typeof schema.properties === "object";
    if (hasMembers && (schema.type ?? "object") === "object") return this.#object(schema, root, name);
    if (schema.type === "array") return this.#array(schema, root, name);
    return TYPES.includes(schema.type) ? schema.type : "value";
  }

  #any(schemas, root, name) {
    const rules = schemas.map((schema, at) => this.of(schema, root, `${name}-o${at}`));
    return this.add(name, [...new Set(rules)].join(" | "));
  }

  /** A `$ref` into the same schema. Its rule is named before it is written, so that a schema may contain itself. */
  #reference(pointer, root, name) {
    const key = `${name.split("-")[0]} ${pointer}`;
    const known = this.#references.get(key);
    if (known !== undefined) return known;
    let target = pointer.startsWith("#/") ? root : undefined;
    for (const part of pointer.slice(2).split("/")) {
      target = target?.[decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")];
    }
    if (target === undefined) return "value";
    const rule = `${name.split("-")[0]}-r${this.#references.size}`;
    this.#references.set(key, rule);
    return this.add(rule, this.of(target, root, `${rule}-x`));
  }

  /** Required members in declared order, then any of the others in declared order. */
  #object(schema, root, name) {
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    const members = Object.entries(schema.properties).map(([key, of], at) => {
      const rule = this.of(of, root, `${name}-m${at}`);
      return { isRequired: required.has(key), rule: this.add(`${name}-p${at}`, `${json(key)} ": " ${rule}`) };
    });
    const must = members.filter((member) => member.isRequired).map((member) => member.rule);
    const may = members.filter((member) => !member.isRequired).map((member) => member.rule);
    const after = (rules) => rules.map((rule) => ` (", " ${rule})?`).join("");
    const starts = may.map((rule, at) => rule + after(may.slice(at + 1)));
    const inner = must.length > 0 ? must.join(' ", " ') + after(may) : optional(starts.join(" | "));
    return this.add(name, `"{" ${inner} "}"`);
  }

  #array(schema, root, name) {
    const item = schema.items === undefined ? "value" : this.of(schema.items, root, `${name}-i`);
    const least = bounded(schema.minItems) ?? 0;
    const most = bounded(schema.maxItems);
    if (most === 0) return this.add(name, '"[]"');
    const more = `{${Math.max(least - 1, 0)},${most === undefined ? "" : most - 1}}`;
    const items = `${item} (", " ${item})${more}`;
    return this.add(name, `"[" ${least > 0 ? items : optional(items)} "]"`);
  }
}

const optional = (body) => (body === "" ? "" : `(${body})?`);

function bounded(count) {
  return Number.isInteger(count) && count >= 0 && count <= REPEATED_MAX ? count : undefined;
}
