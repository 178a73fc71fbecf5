// Runs helm's command line many times in one process: for each line on standard input, a JSON list of arguments, one line of JSON on
// standard output with what helm prints, or why it failed. Starting helm costs more than most charts. What a command leaves behind in
// helm's packages (flags keep their values, hooks of cobra gather) is why a caller starts a new process now and then, and repeats
// with the program what differs.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"

	helmcmd "helm.sh/helm/v4/pkg/cmd"
)

type answer struct {
	Output  []byte `json:"output"`
	Failed  bool   `json:"failed"`
	Problem string `json:"problem"` // what helm writes on standard error
}

// Gives what a call writes on standard error, besides running it.
func withErrors(file *os.File, call func()) (string, error) {
	if err := file.Truncate(0); err != nil {
		return "", err
	}
	if _, err := file.Seek(0, 0); err != nil {
		return "", err
	}
	before := os.Stderr
	os.Stderr = file
	log.SetOutput(file)
	call()
	os.Stderr = before
	text, err := os.ReadFile(file.Name())
	return string(text), err
}

func helm(args []string, out *bytes.Buffer) (failed bool) {
	defer func() {
		if cause := recover(); cause != nil {
			fmt.Fprintf(os.Stderr, "panic: %v\n", cause)
			failed = true
		}
	}()
	cmd, err := helmcmd.NewRootCmd(out, args, helmcmd.SetupLogging)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return true
	}
	cmd.SetArgs(args)
	cmd.SetOut(out)
	cmd.SetErr(os.Stderr)
	return cmd.Execute() != nil
}

func main() {
	file, err := os.CreateTemp("", "helm-runs")
	if err != nil {
		log.Fatal(err)
	}
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var args []string
		var out bytes.Buffer
		var a answer
		if err := json.Unmarshal(line, &args); err != nil {
			log.Fatal(err)
		}
		a.Problem, err = withErrors(file, func() { a.Failed = helm(args, &out) })
		if err != nil {
			log.Fatal(err)
		}
		a.Output = out.Bytes()
		text, err := json.Marshal(a)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", text)
	}
	os.Remove(file.Name())
}
