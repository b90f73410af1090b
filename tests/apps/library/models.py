from django.db import models


class Author(models.Model):
    name = models.CharField(max_length=100)

    class Meta:
        ordering = ["name"]

    def __str__(self):
        return self.name


class Book(models.Model):
    title = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, choices=[("novel", "Novel"), ("poems", "Poems")])
    published = models.DateField(null=True, blank=True)
    authors = models.ManyToManyField(Author, blank=True)
    publisher = models.ForeignKey("Publisher", on_delete=models.CASCADE, null=True, blank=True)
    lent = models.BooleanField(default=False)

    class Meta:
        ordering = ["title"]

    def __str__(self):
        return self.title


class Publisher(models.Model):
    name = models.CharField(max_length=100)

    def __str__(self):
        return self.name
