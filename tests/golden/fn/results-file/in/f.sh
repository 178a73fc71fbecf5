#!/bin/sh
sed '/^results:/,$d'
cat <<'EOF'
results:
- severity: 'warning'
  message: "quoted: text"
  file: {index: 0, path: 'b.yaml'}
  field: {proposedValue: "80", path: "a.b", currentValue: 'x'}
  resourceRef: {name: cm, kind: 'ConfigMap', apiVersion: "v1"}
  bogus: kept?
- message: plain 'q' # comment
EOF
