// Builds folders with kustomize's own packages, many in one process: for each line on standard input, the name of a folder, one line of
// JSON on standard output with what `kustomize build FOLDER` prints, or why it failed. Starting kustomize and reading its schema cost more
// than most builds. The schema is one for the process: a line that starts with "fresh " asks for a build that finds none, as one does that
// brings a schema of its own.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"
)

type answer struct {
	Output string `json:"output"`
	Failed bool   `json:"failed"`
	Why    string `json:"why"`
}

func build(folder string, fresh bool) (a answer) {
	defer func() {
		if cause := recover(); cause != nil {
			a = answer{Failed: true, Why: fmt.Sprintf("panic: %v", cause)}
		}
	}()
	if fresh {
		openapi.ResetOpenAPI()
		defer openapi.ResetOpenAPI()
	}
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionUnspecified
	resources, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		return answer{Failed: true, Why: err.Error()}
	}
	text, err := resources.AsYaml()
	if err != nil {
		return answer{Failed: true, Why: err.Error()}
	}
	return answer{Output: string(text)}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		folder, fresh := strings.CutPrefix(lines.Text(), "fresh ")
		if err := out.Encode(build(folder, fresh)); err != nil {
			log.Fatal(err)
		}
	}
}
