// Writes the tables of built-in kinds that merging, applying and checking need, from OpenAPI documents:
//
//	cd tools/gen_schema
//	go run . kustomize > ../../src/res/gen_kustomize_schema.c    # kyaml's own schema, from its Go module (go.mod)
//	go run . kubernetes > ../../src/res/gen_kubernetes_schema.c  # the API server's, from k8s.io/kubernetes
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

const kubernetes = "k8s.io/kubernetes@v1.34.3"

type gvk struct{ Group, Version, Kind string }

// The parts of an OpenAPI v2 schema that count.
type schema struct {
	Ref                  string             `json:"$ref"`
	Type                 any                `json:"type"`
	Format               string             `json:"format"`
	Properties           map[string]*schema `json:"properties"`
	Items                *schema            `json:"items"`
	Required             []string           `json:"required"`
	AdditionalProperties json.RawMessage    `json:"additionalProperties"`
	AllOf                []*schema          `json:"allOf"`
	PatchStrategy        string             `json:"x-kubernetes-patch-strategy"`
	PatchMergeKey        string             `json:"x-kubernetes-patch-merge-key"`
	ListType             string             `json:"x-kubernetes-list-type"`
	ListMapKeys          []string           `json:"x-kubernetes-list-map-keys"`
	MapType              string             `json:"x-kubernetes-map-type"`
	GVKs                 []gvk              `json:"x-kubernetes-group-version-kind"`
}

type document struct {
	Definitions map[string]*schema
	Paths       map[string]map[string]json.RawMessage
}

// A row of the table; the C struct res_shape has the same members.
type shape struct {
	kind, flags, typ string
	mergeKey         string
	keys             string // joined by ','
	child            int    // of items, or of a map's values
	def              string // whose fields it has; with references: what it refers to
	format           string // with references
}

type table struct {
	doc    document
	shapes []shape
	known  map[shape]int
	fields map[string][]field // by definition

	references bool // kept for who prints the schema
}
type field struct {
	name     string
	shape    int
	required int
}

func (t *table) add(s shape) int {
	if at, ok := t.known[s]; ok {
		return at
	}
	t.shapes = append(t.shapes, s)
	t.known[s] = len(t.shapes) - 1
	return len(t.shapes) - 1
}

func flagsOf(s *schema) string {
	var all []string
	for _, strategy := range strings.Split(s.PatchStrategy, ",") {
		switch strategy {
		case "merge":
			all = append(all, "RES_MERGE")
		case "replace":
			all = append(all, "RES_REPLACE")
		case "retainKeys":
			all = append(all, "RES_RETAIN_KEYS")
		}
	}
	if s.ListType == "atomic" || s.MapType == "atomic" {
		all = append(all, "RES_ATOMIC")
	}
	if s.ListType == "set" {
		all = append(all, "RES_SET")
	}
	return strings.Join(all, " | ")
}

func joined(flags, more string) string {
	if flags == "" || more == "" {
		return flags + more
	}
	return flags + " | " + more
}

func formatOf(s *schema) string {
	if s.Format == "" {
		return "0"
	}
	return "RES_" + strings.ToUpper(strings.ReplaceAll(s.Format, "-", "_"))
}

// The shape of a place; what stands beside a reference counts like what stands in the definition.
func (t *table) shapeOf(s *schema) int {
	target, def := s, ""
	for target.Ref != "" || len(target.AllOf) == 1 {
		if target.Ref == "" {
			target = target.AllOf[0]
			continue
		}
		def = strings.TrimPrefix(target.Ref, "#/definitions/")
		target = t.doc.Definitions[def]
		if target == nil {
			log.Fatalf("no definition %s", def)
		}
	}
	row := shape{mergeKey: s.PatchMergeKey, keys: strings.Join(s.ListMapKeys, ","), flags: flagsOf(s)}
	if t.references {
		row.def, row.format = def, formatOf(target)
	}
	if target != s {
		row.flags = joined(row.flags, flagsOf(target))
	}
	typ, _ := target.Type.(string)
	if list, ok := target.Type.([]any); ok && len(list) == 1 {
		typ, _ = list[0].(string)
	}
	switch typ {
	case "array":
		row.kind, row.typ = "DOC_SHAPE_LIST", "RES_ARRAY"
		if target.Items != nil {
			row.child = t.shapeOf(target.Items)
		}
	case "string", "integer", "number", "boolean":
		row.kind, row.typ = "DOC_SHAPE_SCALAR", "RES_"+strings.ToUpper(typ)
		if target.Format == "int-or-string" || strings.HasSuffix(def, ".resource.Quantity") {
			row.typ = "RES_ANY"
		}
	default:
		row.kind, row.typ = "DOC_SHAPE_MAP", "RES_OBJECT"
		switch {
		case len(target.Properties) > 0:
			row.def = def
			t.fieldsOf(def, target)
		case len(target.AdditionalProperties) > 0 && target.AdditionalProperties[0] == '{':
			var values schema
			check(json.Unmarshal(target.AdditionalProperties, &values))
			row.child = t.shapeOf(&values)
		case typ == "object":
			row.flags = joined(row.flags, "RES_OPEN")
		default:
			row.kind, row.typ, row.flags = "DOC_SHAPE_UNKNOWN", "RES_ANY", "RES_OPEN"
		}
	}
	return t.add(row)
}

func (t *table) fieldsOf(def string, s *schema) {
	if def == "" {
		log.Fatal("fields outside a definition")
	}
	if _, ok := t.fields[def]; ok {
		return
	}
	t.fields[def] = nil // definitions may refer to themselves
	var all []field
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		required := 0
		if slices.Contains(s.Required, name) {
			required = 1
		}
		all = append(all, field{name, t.shapeOf(s.Properties[name]), required})
	}
	t.fields[def] = all
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func loadKubernetes() (document, func(gvk) int) {
	out, err := exec.Command("go", "mod", "download", "-json", kubernetes).Output()
	check(err)
	var module struct{ Dir string }
	check(json.Unmarshal(out, &module))
	text, err := os.ReadFile(filepath.Join(module.Dir, "api", "openapi-spec", "swagger.json"))
	check(err)
	var doc document
	check(json.Unmarshal(text, &doc))

	scopes := map[gvk]int{}
	for path, operations := range doc.Paths {
		for _, operation := range operations {
			var o struct {
				GVK *gvk `json:"x-kubernetes-group-version-kind"`
			}
			if json.Unmarshal(operation, &o) != nil || o.GVK == nil || !strings.HasSuffix(path, "/{name}") {
				continue
			}
			scopes[*o.GVK] = 0
			if strings.Contains(path, "/namespaces/{namespace}/") {
				scopes[*o.GVK] = 1
			}
		}
	}
	return doc, func(id gvk) int {
		if scope, ok := scopes[id]; ok {
			return scope
		}
		return -1
	}
}

func loadKustomize() (document, func(gvk) int) {
	openapi.SchemaForResourceType(yaml.TypeMeta{APIVersion: "v1", Kind: "Pod"}) // loads it
	text, err := json.Marshal(openapi.Schema())
	check(err)
	var doc document
	check(json.Unmarshal(text, &doc))
	return doc, func(id gvk) int {
		version := id.Version
		if id.Group != "" {
			version = id.Group + "/" + version
		}
		namespaced, known := openapi.IsNamespaceScoped(yaml.TypeMeta{APIVersion: version, Kind: id.Kind})
		switch {
		case !known:
			return -1
		case namespaced:
			return 1
		}
		return 0
	}
}

type texts struct {
	at  map[string]int
	all []string
	len int
}

func (t *texts) offset(s string) int {
	if at, ok := t.at[s]; ok {
		return at
	}
	t.at[s] = t.len
	t.all = append(t.all, s)
	t.len += len(s) + 1
	return t.at[s]
}

func orZero(s string) string {
	if s == "" {
		return "0"
	}
	return s
}

// What each shape refers to, and its format.
func (t *table) printReferences(out *bufio.Writer, defs []string) {
	place := map[string]int{"": 0} // of a definition, counted from 1
	for i, def := range defs {
		place[def] = i + 1
	}
	fmt.Fprintf(out, "};\n\nstatic const struct res_reference references[] = {\n")
	for _, s := range t.shapes {
		fmt.Fprintf(out, "{%d, %s},\n", place[s.def], orZero(s.format))
	}
}

func main() {
	if len(os.Args) != 2 || (os.Args[1] != "kustomize" && os.Args[1] != "kubernetes") {
		log.Fatal("usage: gen_schema kustomize|kubernetes")
	}
	name := os.Args[1]
	load, source := loadKubernetes, kubernetes
	if name == "kustomize" {
		load, source = loadKustomize, "sigs.k8s.io/kustomize/kyaml, see go.mod of the generator"
	}
	doc, scopeOf := load()
	t := &table{doc: doc, known: map[shape]int{}, fields: map[string][]field{}, references: name == "kubernetes"}
	t.add(shape{kind: "DOC_SHAPE_UNKNOWN", typ: "RES_ANY", flags: "RES_OPEN"})

	type root struct {
		id    gvk
		shape int
	}
	var roots []root
	var defs []string
	for def := range doc.Definitions {
		defs = append(defs, def)
	}
	sort.Strings(defs)
	seen := map[gvk]bool{}
	for _, def := range defs {
		for _, id := range doc.Definitions[def].GVKs {
			if seen[id] || (strings.HasPrefix(def, "io.k8s.apimachinery") && len(doc.Definitions[def].GVKs) > 3) {
				continue // Status, DeleteOptions and their like stand in every group
			}
			seen[id] = true
			roots = append(roots, root{id, t.shapeOf(&schema{Ref: "#/definitions/" + def})})
		}
	}
	for _, def := range defs { // those that no kind leads to, too
		t.shapeOf(&schema{Ref: "#/definitions/" + def})
	}
	sort.Slice(roots, func(i, j int) bool {
		a, b := roots[i].id, roots[j].id
		return a.Kind < b.Kind || a.Kind == b.Kind && (a.Group < b.Group || a.Group == b.Group && a.Version < b.Version)
	})

	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	words := &texts{at: map[string]int{}}
	words.offset("")
	fmt.Fprintf(out, "/* Generated by tools/gen_schema from %s; see NOTICE. Do not edit. */\n", source)
	fmt.Fprintf(out, "#include \"res/schema_priv.h\"\n\n")

	first := map[string]int{}
	count := 0
	fmt.Fprintf(out, "static const struct res_field fields[] = {\n")
	var used []string
	for def := range t.fields {
		used = append(used, def)
	}
	sort.Strings(used)
	for _, def := range used {
		first[def] = count
		count += len(t.fields[def])
		for _, f := range t.fields[def] {
			fmt.Fprintf(out, "{%d, %d, %d},\n", words.offset(f.name), f.shape, f.required)
		}
	}
	fmt.Fprintf(out, "};\n\nstatic const uint32_t keys[] = {\n0,\n")
	keysAt := map[string]int{"": 0}
	keyCount := 1
	for _, s := range t.shapes {
		if _, ok := keysAt[s.keys]; ok {
			continue
		}
		keysAt[s.keys] = keyCount
		for _, key := range strings.Split(s.keys, ",") {
			fmt.Fprintf(out, "%d,\n", words.offset(key))
			keyCount++
		}
	}
	fmt.Fprintf(out, "};\n\nstatic const struct res_shape shapes[] = {\n")
	for _, s := range t.shapes {
		n := 0
		if s.keys != "" {
			n = len(strings.Split(s.keys, ","))
		}
		fmt.Fprintf(out, "{%s, %s, %s, %d, %d, %d, %d, %d, %d},\n", s.kind, orZero(s.flags), s.typ, n,
			words.offset(s.mergeKey), keysAt[s.keys], s.child, first[s.def], len(t.fields[s.def]))
	}
	if t.references {
		t.printReferences(out, defs)
	}
	fmt.Fprintf(out, "};\n\nstatic const struct res_root roots[] = {\n")
	for _, r := range roots {
		fmt.Fprintf(out, "{%d, %d, %d, %d, %d},\n", words.offset(r.id.Group), words.offset(r.id.Version),
			words.offset(r.id.Kind), r.shape, scopeOf(r.id))
	}
	fmt.Fprintf(out, "};\n\nstatic const struct res_field definitions[] = {\n")
	for _, def := range defs {
		fmt.Fprintf(out, "{%d, %d, 0},\n", words.offset(def), t.shapeOf(&schema{Ref: "#/definitions/" + def}))
	}
	fmt.Fprintf(out, "};\n\nstatic const char words[] =\n")
	for _, word := range words.all {
		fmt.Fprintf(out, "\"%s\\0\"\n", word)
	}
	fmt.Fprintf(out, ";\n\nconst struct res_table res_%s_table = {\n", name)
	fmt.Fprintf(out, "RES_SCHEMA_FUNCTIONS, words, fields, keys, shapes, roots, %d, definitions, %d,\n", len(roots), len(defs))
	if t.references {
		fmt.Fprintf(out, "references,\n};\n")
	} else {
		fmt.Fprintf(out, "NULL,\n};\n")
	}
}
