# Who may include whom: a folder includes itself and what it uses. `make lint` judges every #include, and a
# folder's unit tests link with nothing else. Widening a line is a decision: say why in the commit.
uses_base :=
uses_sys := base
uses_doc := base
uses_re := base
uses_res := base doc re
uses_codec := base sys
uses_metrics := base
uses_http := base sys
uses_sdk := base doc re res
uses_expr := base sys doc re res codec
uses_fetch := base sys doc codec http
uses_kube := base sys doc res http expr
uses_run := base sys doc
uses_fn := base sys doc res expr fetch sdk
uses_chart := base sys doc re res codec http expr fetch kube run
uses_kustomize := base sys doc res re expr fetch fn chart
uses_fnlib := base sys doc res re expr sdk fn chart kustomize
uses_control := base sys doc res metrics kube
uses_sandbox := base sys doc re res http expr
uses_khook := base sys doc res http expr fetch kube fn chart kustomize run
uses_shellop := base sys doc res metrics http expr kube control
uses_kudo := base sys doc res metrics http expr kube chart kustomize run control
uses_cli := base sys doc re res codec metrics http sdk expr fetch kube run fn chart kustomize fnlib control sandbox khook shellop kudo
