"""Random objects: kinds with references to each other, names from a small pool, so that they meet."""
NAMES = ["web", "db", "cfg", "app", "x1"]
SPACES = ["one", "two", "default"]
LONG = "a text that is long enough to be broken at a blank, since more than eighty columns of it stand in one line of the output"
TEXTS = ["a", "v1.2", "80", "true", "x: y", "a/b/c", "", "two words", "$(NAME)", "1e3", "é", "line\nline\n", "$(PORT)-x", "no", "0x1F", "2020-01-01", " led",
         "- a", "#c", "'q'", "a: {b: 1}", '{"a": [1]}', "~", "1.0", "tail\n\n", LONG, "-1", "\ttab", "☃ & <b>"]
CLUSTER = ("ClusterRole", "ClusterRoleBinding", "Namespace", "IngressClass", "StorageClass", "PersistentVolume", "PriorityClass", "CustomResourceDefinition",
           "ValidatingWebhookConfiguration", "APIService")


class Objects:
    """Needs r, the source of chance."""

    def maybe(self, chance):
        return self.r.random() < chance

    def name(self):
        return self.r.choice(NAMES)

    def pick(self, items):
        return self.r.choice(items)

    def text(self):
        """Mostly a plain one."""
        return self.pick(TEXTS[:13] if self.maybe(0.7) else TEXTS)

    def pairs(self, most=2):
        return {self.pick(["app", "tier", "team", "a.b/c"]): self.pick(TEXTS[:5]) for _ in range(self.r.randint(1, most))}

    def meta(self, spaced=True):
        meta = {"name": self.name()}
        if spaced and self.maybe(0.3):
            meta["namespace"] = self.pick(SPACES)
        for key in ("labels", "annotations"):
            if self.maybe(0.3):
                meta[key] = self.pairs()
        return meta

    def container(self):
        c = {"name": self.pick(["main", "side"]), "image": self.pick(["nginx", "nginx:1.7", "reg.io:5000/a/b@sha256:" + "0" * 64, "redis:6"])}
        if self.maybe(0.5):
            c["env"] = [self.env(i) for i in range(self.r.randint(1, 3))]
        if self.maybe(0.4):
            c["envFrom"] = [{self.pick(["configMapRef", "secretRef"]): {"name": self.name()}}]
        if self.maybe(0.4):
            c["args"] = [self.text() for _ in range(2)]
        if self.maybe(0.4):
            c["ports"] = [{"containerPort": p} for p in self.r.sample([80, 81, 443], self.r.randint(1, 2))]
        if self.maybe(0.2):
            c["resources"] = {"limits": {"cpu": self.pick(["1", 1, 0.5, "500m"]), "memory": self.pick(["1Gi", 1e9])}}
        if self.maybe(0.2):
            c["volumeMounts"] = [{"name": f"v{i}", "mountPath": f"/{p}"} for i, p in enumerate(self.r.sample(["a", "b", "c"], 2))]
        if self.maybe(0.1):
            c["command"] = ["sh", "-c", self.text()]
        return c

    def env(self, i):
        if self.maybe(0.5):
            return {"name": f"E{i}", "value": self.text()}
        return {"name": f"E{i}", "valueFrom": {self.pick(["configMapKeyRef", "secretKeyRef"]): {"name": self.name(), "key": "k"}}}

    def pod(self):
        spec = {"containers": [self.container() for _ in range(self.r.randint(1, 2))]}
        if len(spec["containers"]) == 2:
            spec["containers"][1]["name"] = "other"
        if self.maybe(0.5):
            spec["volumes"] = [self.volume(i) for i in range(self.r.randint(1, 3))]
        for key in ("serviceAccountName", "priorityClassName"):
            if self.maybe(0.3):
                spec[key] = self.name()
        if self.maybe(0.2):
            spec["initContainers"] = [{**self.container(), "name": "init"}]
        if self.maybe(0.1):
            spec["tolerations"] = [{"key": self.name(), "operator": "Exists"}]
        if self.maybe(0.1):
            spec["topologySpreadConstraints"] = [{"maxSkew": 1, "topologyKey": self.pick(["a", "b"]), "whenUnsatisfiable": "DoNotSchedule",
                                                  "labelSelector": {"matchLabels": self.pairs()}}]
        if self.maybe(0.2):
            spec["imagePullSecrets"] = [{"name": self.name()}]
        if self.maybe(0.05):
            spec["hostAliases"] = [{"ip": "1.2.3.4", "hostnames": [self.name(), self.text()]}]
        return spec

    def volume(self, i):
        kind = self.pick(["configMap", "secret", "persistentVolumeClaim", "projected"])
        body = {"configMap": {"name": self.name()}, "secret": {"secretName": self.name()},
                "persistentVolumeClaim": {"claimName": self.name()},
                "projected": {"sources": [{"configMap": {"name": self.name()}}, {"secret": {"name": self.name()}}]}}[kind]
        return {"name": f"v{i}", kind: body}

    def template(self):
        t = {"spec": self.pod()}
        if self.maybe(0.6):
            t["metadata"] = {"labels": self.pairs()}
        return t

    def resource(self):
        kind = self.pick(["Deployment", "Deployment", "StatefulSet", "Pod", "CronJob", "Service", "ConfigMap", "ConfigMap", "Secret", "ServiceAccount",
                          "Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding", "Ingress", "HorizontalPodAutoscaler", "Namespace",
                          "PersistentVolumeClaim", "Thing", "Thing", "IngressClass", "DaemonSet", "Job", "NetworkPolicy", "PodDisruptionBudget",
                          "PersistentVolume", "StorageClass", "PriorityClass", "CustomResourceDefinition", "ValidatingWebhookConfiguration", "APIService",
                          "List"])
        return getattr(self, "make_" + kind, self.make_other)(kind)

    def head(self, api, kind, **more):
        return {"apiVersion": api, "kind": kind, "metadata": self.meta(kind not in CLUSTER), **more}

    def make_Deployment(self, kind):
        spec = {"template": self.template()}
        if self.maybe(0.5):
            spec["replicas"] = self.r.randint(1, 3)
        if self.maybe(0.5):
            spec["selector"] = {"matchLabels": self.pairs()}
        if kind == "StatefulSet":
            spec["serviceName"] = self.name()
            if self.maybe(0.4):
                spec["volumeClaimTemplates"] = [{"metadata": {"name": "data", **({"labels": self.pairs()} if self.maybe(0.5) else {})},
                                                 "spec": {"storageClassName": self.name()}}]
        return self.head("apps/v1", kind, spec=spec)

    make_StatefulSet = make_DaemonSet = make_Deployment

    def make_Pod(self, kind):
        return self.head("v1", kind, spec=self.pod())

    def make_CronJob(self, kind):
        return self.head("batch/v1", kind, spec={"jobTemplate": {"spec": {"template": self.template()}}})

    def make_Service(self, kind):
        return self.head("v1", kind, spec={"ports": [{"port": self.pick([80, 81]), "targetPort": self.pick([80, "http"])}], "selector": self.pairs()})

    def make_ConfigMap(self, kind):
        if self.maybe(0.1):
            return self.head("v1", kind, data={"j.son": self.pick(['{"a": "b", "c": [1, {"d": "e"}]}', "a: b\nc:\n- 1\n", '{\n  "a": 1\n}', "a: # one\n  b: c\n"])},
                             **({"immutable": True} if self.maybe(0.3) else {}), **({"binaryData": {"b": "AAE="}} if self.maybe(0.3) else {}))
        return self.head("v1", kind, data={self.pick(["k", "l"]): self.text() for _ in range(2)})

    def make_Secret(self, kind):
        if self.maybe(0.3):
            return self.head("v1", kind, stringData={"k": self.text()})
        return self.head("v1", kind, type="Opaque", data={"k": "YQ=="})

    def make_Role(self, kind):
        return self.head("rbac.authorization.k8s.io/v1", kind, rules=[{"resources": ["configmaps"], "resourceNames": [self.name(), self.name()]}])

    make_ClusterRole = make_Role

    def make_RoleBinding(self, kind):
        subjects = []
        for _ in range(self.r.randint(1, 2)):
            subject = {"kind": "ServiceAccount", "name": self.pick(NAMES + ["default"])}
            if self.maybe(0.5):
                subject["namespace"] = self.pick(SPACES)
            subjects.append(subject)
        role = self.pick(["Role", "ClusterRole"]) if kind == "RoleBinding" else "ClusterRole"
        ref = {"apiGroup": "rbac.authorization.k8s.io", "kind": role, "name": self.name()}
        return self.head("rbac.authorization.k8s.io/v1", kind, roleRef=ref, subjects=subjects)

    make_ClusterRoleBinding = make_RoleBinding

    def make_Ingress(self, kind):
        spec = {"rules": [{"host": "h.io", "http": {"paths": [{"path": "/", "backend": {"service": {"name": self.name(), "port": {"number": 80}}}}]}}]}
        if self.maybe(0.5):
            spec["tls"] = [{"hosts": ["h.io"], "secretName": self.name()}]
        if self.maybe(0.4):
            spec["ingressClassName"] = self.name()
        return self.head("networking.k8s.io/v1", kind, spec=spec)

    def make_HorizontalPodAutoscaler(self, kind):
        return self.head("autoscaling/v2", kind, spec={"scaleTargetRef": {"kind": self.pick(["Deployment", "StatefulSet"]), "name": self.name()}})

    def make_Thing(self, kind):
        return self.head("example.com/v1", kind, spec={"name": self.name(), "list": [{"name": "a", "v": 1}, {"name": "b", "v": self.text()}], "n": None})

    def make_other(self, kind):
        api = {"IngressClass": "networking.k8s.io/v1", "StorageClass": "storage.k8s.io/v1", "PriorityClass": "scheduling.k8s.io/v1"}.get(kind, "v1")
        return self.head(api, kind)

    def make_Job(self, kind):
        return self.head("batch/v1", kind, spec={"template": self.template()})

    def make_NetworkPolicy(self, kind):
        rule = {"from": [{"podSelector": {"matchLabels": self.pairs()}}, {"namespaceSelector": {"matchExpressions": [{"key": "app", "operator": "Exists"}]}}]}
        return self.head("networking.k8s.io/v1", kind, spec={"podSelector": {"matchLabels": self.pairs()}, "ingress": [rule]})

    def make_PodDisruptionBudget(self, kind):
        return self.head("policy/v1", kind, spec={"minAvailable": 1, "selector": {"matchLabels": self.pairs()}})

    def make_PersistentVolumeClaim(self, kind):
        return self.head("v1", kind, spec={"volumeName": self.name(), "storageClassName": self.name()})

    def make_PersistentVolume(self, kind):
        return self.head("v1", kind, spec={"claimRef": {"kind": "PersistentVolumeClaim", "name": self.name(), "namespace": self.pick(SPACES)}})

    def make_CustomResourceDefinition(self, kind):
        hook = {"strategy": "Webhook", "webhook": {"clientConfig": {"service": {"name": self.name(), "namespace": self.pick(SPACES)}}}}
        return self.head("apiextensions.k8s.io/v1", kind, spec={"group": "example.com", "names": {"kind": "Thing", "plural": "things"}, "scope": "Namespaced",
                                                                "conversion": hook})

    def make_ValidatingWebhookConfiguration(self, kind):
        return self.head("admissionregistration.k8s.io/v1", kind,
                         webhooks=[{"name": "a.b.c", "clientConfig": {"service": {"name": self.name(), "namespace": self.pick(SPACES)}}}])

    def make_APIService(self, kind):
        return self.head("apiregistration.k8s.io/v1", kind, spec={"service": {"name": self.name(), "namespace": self.pick(SPACES)}, "version": "v1"})

    def make_List(self, kind):
        return {"apiVersion": "v1", "kind": kind, "items": [self.make_ConfigMap("ConfigMap"), self.make_Service("Service")][: self.r.randint(1, 2)]}
