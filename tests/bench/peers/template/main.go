// template-go TEMPLATE DATA [RUNS]: runs a template over a JSON document with Go's text/template, sprig and an include as
// charts have it. Prints the output, or with RUNS the seconds of
// processor time of the median run, compiled and read before: waiting for other programs does not count.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

func load(templatePath, dataPath string) (*template.Template, any, error) {
	var data any
	text, err := os.ReadFile(templatePath)
	if err != nil {
		return nil, nil, err
	}
	raw, err := os.ReadFile(dataPath)
	if err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal(raw, &data); err != nil {
		return nil, nil, err
	}
	t := template.New("t").Funcs(sprig.TxtFuncMap())
	t.Funcs(template.FuncMap{"include": func(name string, dot any) (string, error) {
		var out strings.Builder
		err := t.ExecuteTemplate(&out, name, dot)
		return out.String(), err
	}})
	_, err = t.Parse(string(text))
	return t, data, err
}

func processorTime() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func run() error {
	t, data, err := load(os.Args[1], os.Args[2])
	if err != nil {
		return err
	}
	if len(os.Args) < 4 {
		return t.Execute(os.Stdout, data)
	}
	runs, err := strconv.Atoi(os.Args[3])
	if err != nil {
		return err
	}
	seconds := make([]float64, runs)
	for i := range seconds {
		var out strings.Builder
		start := processorTime()
		if err := t.Execute(&out, data); err != nil {
			return err
		}
		seconds[i] = processorTime() - start
	}
	sort.Float64s(seconds)
	fmt.Println(seconds[runs/2])
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
