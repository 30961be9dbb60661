{{/* What servers and workers have in common. */}}
{{- define "zoetrope.pod" -}}
terminationGracePeriodSeconds: 60
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  fsGroup: 10001
containers:
  - name: {{ .part }}
    image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    args: [{{ .command | quote }}]
    securityContext:
      allowPrivilegeEscalation: false
      capabilities:
        drop: [ALL]
    envFrom:
      - secretRef:
          name: {{ required "existingSecret must name a secret" .root.Values.existingSecret }}
    env:
      - name: API_URL
        value: {{ required "apiUrl must be set" .root.Values.apiUrl | quote }}
      - name: WORKERS
        value: "0"
      {{- range $name, $value := .root.Values.settings }}
      - name: {{ $name }}
        value: {{ $value | quote }}
      {{- end }}
    volumeMounts:
      - name: data
        mountPath: /data
    resources:
      {{- toYaml (index .root.Values.resources .part) | nindent 6 }}
    {{- if eq .part "server" }}
    ports:
      - name: http
        containerPort: 8080
    startupProbe:
      httpGet: { path: /healthz, port: http }
      failureThreshold: 60
      periodSeconds: 2
    readinessProbe:
      httpGet: { path: /readyz, port: http }
      periodSeconds: 5
    livenessProbe:
      httpGet: { path: /healthz, port: http }
      periodSeconds: 10
    {{- end }}
volumes:
  - name: data
    emptyDir:
      sizeLimit: {{ .root.Values.scratch }}
{{- end }}
