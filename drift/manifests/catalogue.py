"""What well-known images and client libraries stand for."""

import re
from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a product is to the system that runs or calls it; the value is the tag that the model gives it."""

    DATABASE = "Database"
    QUEUE = "Queue"
    INFRASTRUCTURE = "Infrastructure"
    EXTERNAL = "External"
    TOOL = "Tool"
    RUNTIME = "Runtime"
    OWN = "Image"


@dataclass(frozen=True, slots=True)
class Product:
    """A data store, a broker, or a service of others."""

    name: str
    role: Role


def _table(role: Role, lines: str) -> list[tuple[re.Pattern[str], Product]]:
    """Read `Name: word word`: an image is the product when a word of its name begins so."""
    found = []
    for line in lines.strip().splitlines():
        name, _, words = line.strip().partition(": ")
        pattern = "|".join(re.escape(word) for word in words.split())
        found.append((re.compile(rf"(?:^|[/_.-])(?:{pattern})"), Product(name, role)))
    return found


# The first that fits counts: tools come first, since a `kafka-ui` is no Kafka.
_IMAGES = [
    *_table(
        Role.TOOL,
        """
        Tool: adminer pgadmin phpmyadmin mongo-express mongoexpress redis-commander redisinsight kafka-ui kafdrop akhq
        Tool: kowl
        Tool: mailhog maildev mailpit mailcatcher smtp4dev greenmail localstack wiremock mockserver imposter azurite
        Tool: moto
        Tool: structurizr plantuml sonarqube cypress playwright selenium selenoid storybook swagger-ui swagger-editor
        Tool: portainer watchtower dozzle flyway liquibase dbmate migrate/migrate cloudbeaver dbgate testcontainers
        Tool: cp-kafka-connect-datagen httpbin echo-server toxiproxy k6 locust jmeter busybox curlimages wait-for sftp
        Tool: opensearch-dashboards elasticsearch-head elasticvue cerebro mongo-seed zookeeper cp-zookeeper
        Tool: dynamodb-admin sqs-admin exporter node-exporter cadvisor
        """,
    ),
    *_table(
        Role.INFRASTRUCTURE,
        """
        Prometheus: prometheus
        VictoriaMetrics: victoria-metrics
        VictoriaLogs: victoria-logs
        Alertmanager: alertmanager
        Grafana: grafana/grafana grafana
        Loki: loki
        Tempo: tempo
        Promtail: promtail
        Jaeger: jaeger
        Zipkin: zipkin
        OpenTelemetry Collector: opentelemetry-collector otel-collector otel
        Kibana: kibana
        Logstash: logstash
        Fluentd: fluentd fluent-bit
        Filebeat: filebeat
        Vector: timberio/vector
        Seq: datalust/seq
        Graylog: graylog
        Traefik: traefik
        nginx: nginx
        HAProxy: haproxy
        Envoy: envoy
        Caddy: caddy
        Kong: kong
        Consul: consul
        Vault: vault
        Schema Registry: schema-registry
        Debezium: debezium
        Kafka Connect: kafka-connect
        OAuth2 Proxy: oauth2-proxy
        PgBouncer: pgbouncer
        Varnish: varnish
        Apache HTTP Server: httpd
        """,
    ),
    *_table(
        Role.QUEUE,
        """
        RabbitMQ: rabbitmq
        Kafka: kafka cp-kafka cp-server
        Redpanda: redpanda
        NATS: nats
        ActiveMQ: activemq artemis
        Mosquitto: mosquitto eclipse-mosquitto emqx hivemq
        Pulsar: pulsar
        ElasticMQ: elasticmq
        EventStoreDB: eventstore
        Temporal: temporal
        """,
    ),
    *_table(
        Role.DATABASE,
        """
        PostgreSQL: postgres postgis timescaledb timescale pgvector supabase/postgres
        MySQL: mysql
        MariaDB: mariadb
        SQL Server: mssql azure-sql-edge
        Oracle Database: oracle gvenzl
        MongoDB: mongo
        Redis: redis redis-stack
        Valkey: valkey
        Dragonfly: dragonfly
        KeyDB: keydb
        Memcached: memcached
        Elasticsearch: elasticsearch
        OpenSearch: opensearch
        Solr: solr
        Meilisearch: meilisearch
        Typesense: typesense
        Cassandra: cassandra scylla
        CockroachDB: cockroach
        ClickHouse: clickhouse
        InfluxDB: influxdb
        QuestDB: questdb
        Neo4j: neo4j
        ArangoDB: arangodb
        Dgraph: dgraph
        CouchDB: couchdb
        Couchbase: couchbase
        RethinkDB: rethinkdb
        SurrealDB: surrealdb
        Qdrant: qdrant
        Weaviate: weaviate
        Milvus: milvus
        Chroma: chroma
        MinIO: minio
        SeaweedFS: seaweedfs
        DynamoDB: dynamodb
        immudb: immudb
        etcd: etcd
        IPFS: ipfs kubo
        """,
    ),
    *_table(
        Role.EXTERNAL,
        """
        Keycloak: keycloak
        FusionAuth: fusionauth
        Dex: dexidp
        Ory: oryd
        Authentik: authentik
        OpenLDAP: openldap
        Ollama: ollama
        vLLM: vllm
        LiteLLM: litellm
        n8n: n8n
        """,
    ),
    *_table(
        Role.RUNTIME,
        """
        Runtime: node python golang openjdk eclipse-temurin amazoncorretto ruby php rust maven gradle dotnet
        Runtime: mcr.microsoft.com/dotnet
        Runtime: alpine debian ubuntu oven/bun denoland bitnami/node amazonlinux ubi centos fedora distroless scratch
        Runtime: jdk jre
        """,
    ),
]

_PRIVATE = (".dkr.ecr.", ".azurecr.io", ".pkg.dev/", "gcr.io/")
_LIBRARIES: dict[str, Product] = {}


def _libraries(role: Role, lines: str) -> None:
    for line in lines.strip().splitlines():
        name, _, packages = line.strip().partition(": ")
        _LIBRARIES.update(dict.fromkeys(packages.split(), Product(name, role)))


_libraries(
    Role.DATABASE,
    """
    PostgreSQL: pg postgres pg-promise psycopg psycopg2 psycopg2-binary asyncpg postgresql npgsql postgrex postgrest
    PostgreSQL: tokio-postgres r2dbc-postgresql
    PostgreSQL: npgsql.entityframeworkcore.postgresql github.com/lib/pq github.com/jackc/pgx/v4
    PostgreSQL: github.com/jackc/pgx/v5 gorm.io/driver/postgres @prisma/adapter-pg
    MySQL: mysql mysql2 mysqlclient pymysql mysql-connector-java mysql-connector-j aiomysql
    MySQL: pomelo.entityframeworkcore.mysql github.com/go-sql-driver/mysql gorm.io/driver/mysql
    MariaDB: mariadb mariadb-java-client
    SQL Server: mssql mssql-jdbc pyodbc pymssql microsoft.data.sqlclient microsoft.entityframeworkcore.sqlserver
    SQL Server: system.data.sqlclient github.com/microsoft/go-mssqldb
    Oracle Database: ojdbc8 ojdbc11 cx-oracle oracledb oracle.manageddataaccess.core
    MongoDB: mongodb mongoose pymongo motor mongoengine spring-boot-starter-data-mongodb mongodb-driver-sync
    MongoDB: mongodb.driver go.mongodb.org/mongo-driver @nestjs/mongoose
    Redis: redis ioredis aioredis spring-boot-starter-data-redis jedis lettuce-core stackexchange.redis
    Redis: github.com/redis/go-redis/v9 github.com/go-redis/redis/v8 redix predis/predis
    Redis: microsoft.extensions.caching.stackexchangeredis bull bullmq connect-redis django-redis fred
    Elasticsearch: @elastic/elasticsearch elasticsearch elasticsearch-dsl spring-boot-starter-data-elasticsearch
    Elasticsearch: elastic.clients.elasticsearch nest github.com/elastic/go-elasticsearch/v8
    OpenSearch: @opensearch-project/opensearch opensearch-py opensearch-java
    OpenSearch: github.com/opensearch-project/opensearch-go/v2 github.com/opensearch-project/opensearch-go/v4
    Cassandra: cassandra-driver java-driver-core github.com/gocql/gocql
    ClickHouse: @clickhouse/client clickhouse-connect clickhouse-driver github.com/clickhouse/clickhouse-go/v2
    Neo4j: neo4j neo4j-driver neo4j-java-driver spring-boot-starter-data-neo4j
    InfluxDB: influxdb influxdb-client @influxdata/influxdb-client
    Qdrant: qdrant-client @qdrant/js-client-rest
    Weaviate: weaviate-client
    Milvus: pymilvus
    MinIO: minio github.com/minio/minio-go/v7
    Meilisearch: meilisearch
    Memcached: pymemcache memcached
    """,
)
_libraries(
    Role.QUEUE,
    """
    RabbitMQ: amqplib pika aio-pika spring-boot-starter-amqp spring-rabbit rabbitmq.client masstransit.rabbitmq
    RabbitMQ: github.com/rabbitmq/amqp091-go github.com/streadway/amqp lapin
    Kafka: kafkajs kafka-python confluent-kafka aiokafka spring-kafka kafka-clients confluent.kafka
    Kafka: github.com/segmentio/kafka-go github.com/confluentinc/confluent-kafka-go github.com/ibm/sarama rdkafka
    NATS: nats nats-py @nats-io/transport-node github.com/nats-io/nats.go async-nats nats.client nats.net
    ActiveMQ: spring-boot-starter-activemq spring-boot-starter-artemis stompit
    MQTT broker: mqtt paho-mqtt aiomqtt github.com/eclipse/paho.mqtt.golang mqttnet rumqttc
    """,
)
_libraries(
    Role.EXTERNAL,
    """
    OpenAI: openai langchain-openai @langchain/openai github.com/sashabaranov/go-openai github.com/openai/openai-go
    OpenAI: async-openai
    Azure OpenAI: azure.ai.openai
    Anthropic: anthropic @anthropic-ai/sdk langchain-anthropic
    Stripe: stripe stripe-java stripe.net @stripe/stripe-js github.com/stripe/stripe-go
    Twilio: twilio
    SendGrid: sendgrid @sendgrid/mail sendgrid-java
    Mailgun: mailgun.js
    Slack: slack-sdk @slack/web-api @slack/bolt slack-bolt github.com/slack-go/slack
    Sentry: sentry-sdk @sentry/node @sentry/react @sentry/nextjs sentry-spring-boot-starter sentry.aspnetcore
    Sentry: github.com/getsentry/sentry-go
    Auth0: @auth0/auth0-react @auth0/nextjs-auth0 auth0 auth0-js express-oauth2-jwt-bearer
    Okta: @okta/okta-react okta-spring-boot-starter
    Firebase: firebase firebase-admin firebase_core
    Supabase: @supabase/supabase-js supabase
    Amazon S3: @aws-sdk/client-s3 awssdk.s3 github.com/aws/aws-sdk-go-v2/service/s3
    Amazon SQS: @aws-sdk/client-sqs awssdk.sqs github.com/aws/aws-sdk-go-v2/service/sqs
    Amazon DynamoDB: @aws-sdk/client-dynamodb awssdk.dynamodbv2 github.com/aws/aws-sdk-go-v2/service/dynamodb
    Azure Blob Storage: azure-storage-blob @azure/storage-blob azure.storage.blobs
    Azure Service Bus: azure-servicebus @azure/service-bus azure.messaging.servicebus
    Google Cloud Storage: google-cloud-storage @google-cloud/storage
    Google Pub/Sub: google-cloud-pubsub @google-cloud/pubsub
    GitHub: @octokit/rest octokit pygithub github.com/google/go-github
    GOV.UK Notify: notifications-node-client notifications-python-client govuknotify
    """,
)


def product_of_image(image: str) -> Product | None:
    """Return what an image is by its name without registry host, tag and digest; None for one that is not known."""
    name = image_name(image)
    return next((product for pattern, product in _IMAGES if pattern.search(name)), None)


def is_product(image: str) -> bool:
    """Say whether the image is a product to run, and no base to build on."""
    product = product_of_image(image)
    return product is not None and product.role not in (Role.RUNTIME, Role.TOOL)


def is_private(image: str) -> bool:
    """Say whether nobody else publishes the image: it has no owner, or lies in a private registry."""
    return bool(image) and ("/" not in image_name(image) or any(host in image for host in _PRIVATE))


def image_name(image: str) -> str:
    """Return the name of an image, in lower case, without host, tag and digest."""
    name = image.strip().split("@")[0].lower()
    head, slash, rest = name.partition("/")
    if slash and ("." in head or ":" in head or head == "localhost"):
        name = rest if head != "mcr.microsoft.com" else name
    folder, _, last = name.rpartition("/")
    last = last.split(":")[0]
    return f"{folder}/{last}" if folder else last


def products_of_libraries(dependencies: frozenset[str]) -> list[Product]:
    """Return what the client libraries among the dependencies talk to, each once, by name."""
    found = {_LIBRARIES[key] for name in dependencies if (key := name.lower()) in _LIBRARIES}
    return sorted(found, key=lambda product: product.name)
