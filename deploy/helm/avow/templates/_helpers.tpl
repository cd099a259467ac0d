{{- define "avow.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "avow.fullname" -}}
{{- $name := include "avow.name" . }}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" }}
{{- else if contains $name .Release.Name }}
{{- .Release.Name | trunc 52 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 52 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "avow.selectorLabels" -}}
app.kubernetes.io/name: {{ include "avow.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "avow.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "avow.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* Pods of hooks have another component, so that the Service does not select them. */}}
{{- define "avow.nodeLabels" -}}
{{ include "avow.selectorLabels" . }}
app.kubernetes.io/component: node
{{- end }}

{{- define "avow.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{- define "avow.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "avow.fullname" .) }}
{{- else -}}
{{ .Values.serviceAccount.name | default "default" }}
{{- end }}
{{- end }}

{{- define "avow.claimName" -}}
{{ .Values.persistence.existingClaim | default (printf "%s-data" (include "avow.fullname" .)) }}
{{- end }}

{{- define "avow.isShared" -}}
{{- if and .Values.persistence.enabled (eq .Values.persistence.accessMode "ReadWriteMany") }}true{{ end }}
{{- end }}

{{/* The text of a setting: YAML reads on and off as booleans, and Helm large numbers as floats. */}}
{{- define "avow.text" -}}
{{- if kindIs "bool" . }}{{ ternary "on" "off" . }}
{{- else if kindIs "float64" . }}{{ printf "%.0f" . }}
{{- else }}{{ toString . | replace "$(" "$$(" }}
{{- end }}
{{- end }}

{{- define "avow.env" -}}
{{- $settings := dict "HOST" "0.0.0.0" "LOG_FORMAT" "json" "TRUST_PROXY" (ternary "1" "off" .Values.ingress.enabled) }}
{{- range $name, $value := .Values.config }}{{ $_ := set $settings $name $value }}{{ end }}
{{- $_ := set $settings "PORT" "8080" }}
{{- $_ := set $settings "DATA_DIR" "/data" }}
{{- $_ := set $settings "MIGRATE_AT_START" (not .Values.migrations.enabled) }}
{{- range $name, $value := $settings }}
- name: {{ $name }}
  value: {{ include "avow.text" $value | quote }}
{{- end }}
{{- /* A missing key stops the pod: without it the service would create keys or a database in a folder that is lost. */}}
{{- $required := list "DATABASE_URL" "SECRET_KEY" "EVIDENCE_LOG_KEYS" }}
{{- if .Values.serviceMonitor.enabled }}{{ $required = append $required "METRICS_TOKEN" }}{{ end }}
{{- range $name := concat $required (keys .Values.secretEnv) | uniq | sortAlpha }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: {{ include "avow.secretKey" (list $ $name) }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "avow.secretKey" -}}
{{- $root := index . 0 }}
{{- $name := index . 1 }}
{{- get $root.Values.secretEnv $name | default (dict "name" $root.Values.existingSecret "key" $name) | toJson }}
{{- end }}

{{/* Fields that the pods of nodes and hooks share. */}}
{{- define "avow.pod" -}}
automountServiceAccountToken: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext: {{ toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{/* Fields that the containers of nodes and hooks share. */}}
{{- define "avow.container" -}}
image: {{ include "avow.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext: {{ toYaml .Values.securityContext | nindent 2 }}
env: {{ include "avow.env" . | nindent 2 }}
envFrom:
  - secretRef:
      name: {{ .Values.existingSecret }}
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
{{- with .Values.extraVolumeMounts }}
{{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The volumes of a pod, and whether /data is the claim. */}}
{{- define "avow.volumes" -}}
{{- $root := index . 0 }}
- name: data
  {{- if index . 1 }}
  persistentVolumeClaim:
    claimName: {{ include "avow.claimName" $root }}
  {{- else }}
  emptyDir: {}
  {{- end }}
- name: tmp
  emptyDir: {}
{{- with $root.Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}
