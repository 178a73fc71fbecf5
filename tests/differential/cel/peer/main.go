// Evaluates CEL expressions with cel-go and the libraries of Kubernetes: for each line on standard input, a JSON object
// {"expr": TEXT, "kubernetes": BOOL}, one line of JSON on standard output with the type, the value or the failure. The first line is the
// document that the name "self" stands for. "kubernetes" asks for the environment of an API server; else it is widened as ours is.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

type answer struct {
	Type     string `json:"type"`
	Value    any    `json:"value"`
	Error    string `json:"error"`
	Stage    string `json:"stage"`    // of the failure: "compile" or "run"
	Unstable bool   `json:"unstable"` // another run gives something else: the order of a map
}

var variables = []cel.EnvOption{
	cel.Variable("self", cel.DynType),
	cel.Variable("b", cel.BoolType),
	cel.Variable("i", cel.IntType),
	cel.Variable("u", cel.UintType),
	cel.Variable("d", cel.DoubleType),
	cel.Variable("s", cel.StringType),
	cel.Variable("l", cel.ListType(cel.IntType)),
	cel.Variable("ls", cel.ListType(cel.StringType)),
	cel.Variable("m", cel.MapType(cel.StringType, cel.IntType)),
	cel.Variable("vars", cel.MapType(cel.StringType, cel.StringType)),
	cel.Variable("unset", cel.IntType),
}

func kubernetes() *cel.Env {
	env, err := environment.MustBaseEnvSet(version.MajorMinor(1, 34), true).StoredExpressionsEnv().Extend(variables...)
	if err != nil {
		log.Fatal(err)
	}
	return env
}

// As an API server, without its refusals, and with the libraries that only we have.
func wide() *cel.Env {
	env, err := cel.NewEnv(append([]cel.EnvOption{
		cel.EagerlyValidateDeclarations(true), cel.DefaultUTCTimeZone(true), cel.CrossTypeNumericComparisons(true), cel.OptionalTypes(),
		cel.EnableIdentifierEscapeSyntax(), library.URLs(), library.Regex(), library.Lists(), library.Quantity(), library.IP(),
		library.CIDR(), library.Format(), library.SemverLib(library.SemverVersion(1)), ext.Strings(ext.StringsVersion(3)), ext.Sets(),
		ext.TwoVarComprehensions(), ext.Lists(ext.ListsVersion(3)), ext.Math(), ext.Encoders(), ext.Bindings(),
	}, variables...)...)
	if err != nil {
		log.Fatal(err)
	}
	return env
}

// What the document has for the names of the variables; whole numbers are ints.
func bindings(line []byte) (map[string]any, error) {
	var self any
	if err := json.Unmarshal(line, &self); err != nil {
		return nil, err
	}
	values := map[string]any{"self": whole(self)}
	for name, value := range values["self"].(map[string]any) {
		values[name] = value
	}
	if i, is := values["u"].(int64); is {
		values["u"] = uint64(i)
	}
	return values, nil
}

func whole(v any) any {
	switch of := v.(type) {
	case float64:
		if of == float64(int64(of)) {
			return int64(of)
		}
	case []any:
		for i := range of {
			of[i] = whole(of[i])
		}
	case map[string]any:
		for k := range of {
			of[k] = whole(of[k])
		}
	}
	return v
}

func evaluate(program cel.Program, values map[string]any) (value any, problem string) {
	defer func() {
		if cause := recover(); cause != nil {
			value, problem = nil, fmt.Sprintf("panic: %v", cause)
		}
	}()
	var out ref.Val
	out, _, err := program.Eval(values)
	if err != nil {
		return nil, err.Error()
	}
	return tagged(out), ""
}

func run(env *cel.Env, text string, values map[string]any) (a answer) {
	defer func() {
		if cause := recover(); cause != nil {
			a = answer{Error: fmt.Sprintf("panic: %v", cause), Stage: "compile"}
		}
	}()
	ast, issues := env.Compile(text)
	if issues.Err() != nil {
		return answer{Error: issues.Err().Error(), Stage: "compile"}
	}
	a.Type = checker.FormatCELType(ast.OutputType())
	program, err := env.Program(ast)
	if err != nil {
		a.Error, a.Stage = err.Error(), "run"
		return a
	}
	a.Value, a.Error = evaluate(program, values)
	if a.Error != "" {
		a.Stage = "run"
	}
	before, _ := json.Marshal([]any{a.Value, a.Error})
	for range 7 {
		value, problem := evaluate(program, values)
		after, _ := json.Marshal([]any{value, problem})
		a.Unstable = a.Unstable || string(after) != string(before)
	}
	return a
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	environments := map[bool]*cel.Env{true: kubernetes(), false: wide()}
	first, err := lines.ReadBytes('\n')
	if err != nil {
		log.Fatal(err)
	}
	values, err := bindings(first)
	if err != nil {
		log.Fatal("the document: " + strconv.Quote(err.Error()))
	}
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var question struct {
			Expr       string `json:"expr"`
			Kubernetes bool   `json:"kubernetes"`
		}
		if err := json.Unmarshal(line, &question); err != nil {
			log.Fatal(err)
		}
		if err := out.Encode(run(environments[question.Kubernetes], question.Expr, values)); err != nil {
			log.Fatal(err)
		}
	}
}
