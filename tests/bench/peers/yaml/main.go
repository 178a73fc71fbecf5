// yaml-v3 FILE: reads every document of a YAML file and writes them again, as a Go program does it that keeps nothing else.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"gopkg.in/yaml.v3"
)

func run(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	reader, writer := yaml.NewDecoder(bufio.NewReader(file)), yaml.NewEncoder(out)
	writer.SetIndent(2)
	for {
		var node yaml.Node
		if err := reader.Decode(&node); errors.Is(err, io.EOF) {
			return writer.Close()
		} else if err != nil {
			return err
		}
		if err := writer.Encode(&node); err != nil {
			return err
		}
	}
}

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
