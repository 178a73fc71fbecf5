#include "chart/create.h"

#include "base/buf.h"
#include "sys/file.h"

/* NAME stands for the chart's name. */
static const struct {
    char path[26], text[1034];
} files[] = {
    {"Chart.yaml", "apiVersion: v2\n"
                   "name: NAME\n"
                   "description: What the chart installs, in a sentence\n"
                   "type: application\n"
                   "# Of the chart: raise it with every change.\n"
                   "version: 0.1.0\n"
                   "# Of what it installs: the default tag of the image.\n"
                   "appVersion: \"1.0.0\"\n"},
    {".helmignore", "# What does not belong into the archive, a pattern a line.\n"
                    ".git/\n"
                    ".gitignore\n"
                    "*.bak\n"
                    "*.swp\n"
                    "*~\n"},
    {"values.yaml",
     "# How many Pods run.\n"
     "replicas: 1\n"
     "\n"
     "image:\n"
     "  repository: registry.example.com/NAME\n"
     "  # Empty: appVersion of Chart.yaml.\n"
     "  tag: \"\"\n"
     "  pullPolicy: IfNotPresent\n"
     "\n"
     "# The name of all objects. Empty: made of the release's name and the chart's.\n"
     "fullName: \"\"\n"
     "\n"
     "service:\n"
     "  type: ClusterIP\n"
     "  port: 80\n"
     "  # Where the container listens.\n"
     "  targetPort: 8080\n"
     "\n"
     "# requests and limits of the container.\n"
     "resources: {}\n"
     "\n"
     "# Environment variables, name: value.\n"
     "env: {}\n"},
    {"values.schema.json",
     "{\n"
     "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
     "  \"type\": \"object\",\n"
     "  \"properties\": {\n"
     "    \"replicas\": {\"type\": \"integer\", \"minimum\": 0},\n"
     "    \"image\": {\"type\": \"object\", \"required\": [\"repository\"]},\n"
     "    \"service\": {\n"
     "      \"type\": \"object\",\n"
     "      \"properties\": {\"port\": {\"type\": \"integer\"}, \"targetPort\": {\"type\": "
     "\"integer\"}}\n"
     "    },\n"
     "    \"env\": {\"type\": \"object\", \"additionalProperties\": {\"type\": \"string\"}}\n"
     "  }\n"
     "}\n"},
    {"templates/_names.tpl",
     "{{/* The name of the release's objects. */}}\n"
     "{{- define \"NAME.fullName\" -}}\n"
     "{{- .Values.fullName | default (printf \"%s-%s\" .Release.Name .Chart.Name) | trunc 63 | "
     "trimSuffix \"-\" }}\n"
     "{{- end }}\n"
     "\n"
     "{{/* What selects the Pods: it never changes. */}}\n"
     "{{- define \"NAME.selector\" -}}\n"
     "app.kubernetes.io/name: {{ .Chart.Name }}\n"
     "app.kubernetes.io/instance: {{ .Release.Name }}\n"
     "{{- end }}\n"
     "\n"
     "{{/* The labels of all objects. */}}\n"
     "{{- define \"NAME.labels\" -}}\n"
     "{{ include \"NAME.selector\" . }}\n"
     "app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}\n"
     "app.kubernetes.io/managed-by: {{ .Release.Service }}\n"
     "helm.sh/chart: {{ printf \"%s-%s\" .Chart.Name .Chart.Version | replace \"+\" \"_\" }}\n"
     "{{- end }}\n"},
    {"templates/deployment.yaml",
     "apiVersion: apps/v1\n"
     "kind: Deployment\n"
     "metadata:\n"
     "  name: {{ include \"NAME.fullName\" . }}\n"
     "  labels:\n"
     "    {{- include \"NAME.labels\" . | nindent 4 }}\n"
     "spec:\n"
     "  replicas: {{ .Values.replicas }}\n"
     "  selector:\n"
     "    matchLabels:\n"
     "      {{- include \"NAME.selector\" . | nindent 6 }}\n"
     "  template:\n"
     "    metadata:\n"
     "      labels:\n"
     "        {{- include \"NAME.labels\" . | nindent 8 }}\n"
     "    spec:\n"
     "      containers:\n"
     "        - name: {{ .Chart.Name }}\n"
     "          image: {{ printf \"%s:%s\" .Values.image.repository (.Values.image.tag | default "
     ".Chart.AppVersion) | quote }}\n"
     "          imagePullPolicy: {{ .Values.image.pullPolicy }}\n"
     "          ports:\n"
     "            - name: http\n"
     "              containerPort: {{ .Values.service.targetPort }}\n"
     "          {{- with .Values.env }}\n"
     "          env:\n"
     "            {{- range $name, $value := . }}\n"
     "            - name: {{ $name }}\n"
     "              value: {{ $value | quote }}\n"
     "            {{- end }}\n"
     "          {{- end }}\n"
     "          {{- with .Values.resources }}\n"
     "          resources:\n"
     "            {{- toYaml . | nindent 12 }}\n"
     "          {{- end }}\n"},
    {"templates/service.yaml", "apiVersion: v1\n"
                               "kind: Service\n"
                               "metadata:\n"
                               "  name: {{ include \"NAME.fullName\" . }}\n"
                               "  labels:\n"
                               "    {{- include \"NAME.labels\" . | nindent 4 }}\n"
                               "spec:\n"
                               "  type: {{ .Values.service.type }}\n"
                               "  selector:\n"
                               "    {{- include \"NAME.selector\" . | nindent 4 }}\n"
                               "  ports:\n"
                               "    - name: http\n"
                               "      port: {{ .Values.service.port }}\n"
                               "      targetPort: http\n"},
    {"templates/NOTES.txt",
     "{{ .Chart.Name }} runs as {{ include \"NAME.fullName\" . }} in {{ .Release.Namespace }}:\n"
     "\n"
     "  kubectl --namespace {{ .Release.Namespace }} port-forward service/{{ include "
     "\"NAME.fullName\" . }} 8080:{{ .Values.service.port }}\n"},
};

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("-_.", c);
}

static int check_name(str name, struct err *e)
{
    bool is_good = name.len > 0 && name.len <= 250 && name.p[0] != '.';

    for (size_t i = 0; i < name.len; i++)
        is_good = is_good && is_name_char(name.p[i]);
    return is_good ? 0
                   : err_set(e, ERR_INVALID,
                             "chart name must match the regular expression "
                             "\"^[a-zA-Z0-9._-]+$\", not \"%.*s\"",
                             STR_ARG(name));
}

static void fill_in(const char *text, str name, struct buf *out)
{
    str rest = str_of(text);
    ssize_t at;

    while ((at = str_find(rest, STR("NAME"))) >= 0) {
        buf_add_str(out, str_sub(rest, 0, (size_t)at));
        buf_add_str(out, name);
        rest = str_from(rest, (size_t)at + 4);
    }
    buf_add_str(out, rest);
}

static int write_file(const char *folder, size_t i, str name, struct err *e)
{
    AUTO(buf_done) struct buf path = {0}, parent = {0}, text = {0};

    buf_addf(&path, "%s/%s", folder, files[i].path);
    buf_add_str(&parent, str_sub(buf_view(&path), 0, (size_t)str_rfind_char(buf_view(&path), '/')));
    fill_in(files[i].text, name, &text);
    if (file_mkdirs(buf_cstr(&parent), 0755, e) < 0)
        return -1;
    return file_replace(buf_cstr(&path), buf_view(&text), NULL, e);
}

int chart_create_check(const char *path, str *ret_name, struct err *e)
{
    str name = str_trim_right(str_of(path), "/");
    AUTO(buf_done) struct buf chart_yaml = {0};

    name = *ret_name = str_from(name, (size_t)(str_rfind_char(name, '/') + 1));
    if (check_name(name, e) < 0)
        return -1;
    buf_addf(&chart_yaml, "%s/Chart.yaml", path);
    if (file_exists(path) && !file_is_dir(path))
        return err_set(e, ERR_EXISTS, "file %s already exists and is not a directory", path);
    if (file_exists(buf_cstr(&chart_yaml)))
        return err_set(e, ERR_EXISTS, "%s is a chart already", path);
    return 0;
}

int chart_create(const char *path, struct err *e)
{
    str name = STR_NONE;

    if (chart_create_check(path, &name, e) < 0)
        return -1;
    for (size_t i = 0; i < ARRAY_LEN(files); i++)
        if (write_file(path, i, name, e) < 0)
            return -1;
    return 0;
}
